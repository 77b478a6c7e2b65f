"""Results of a run over a set, for a person, for a program, and in one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.benchmarks.tasksets.summary import figures, summarise, summarise_by
from rubric_engine.cli.output import counted, fill, percent, print_json, printable, say, show, table
from rubric_engine.errors import BudgetError

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results
    from rubric_engine.benchmarks.tasksets.summary import Figure, Range, Summary

_CAP = re.compile(r"(--max-(?:cost|tokens))[ =]\S+")
_ROWS: Mapping[str, tuple[str, str]] = {
    "success": ("success rate (returned, well-formed)", "share"),
    "malformed": ("malformed", "share"),
    "failed": ("failure rate", "share"),
    "score": ("mean score", "share"),
    "seconds": ("seconds, mean", "seconds"),
    "seconds_95": ("seconds, 95th percentile", "seconds"),
    "between_tasks": ("variance over tasks", "number"),
    "within_tasks": ("variance over samples", "number"),
    "judge_sd": ("spread of repeated judgements (sd)", "number"),
    "hallucination": ("hallucination share", "share"),
    "interventions": ("human interventions, an answer", "number"),
}
"""By name of a figure, what people call it and how it is shown."""


def print_run(results: Results, folder: Path, *, quiet: bool, as_json: bool) -> int:
    """Print what a run gave to stdout.

    Returns:
        The exit code.
    """
    code = results.exit_code
    if as_json:
        print_json(document(results) | {"result": str(folder), "ok": code == 0, "exit_code": code})
    elif quiet:
        say(quiet_line(results, folder))
    else:
        show(*overall(results), "", *_ending(results, folder))
    return code


def document(results: Results, by: Sequence[str] = ()) -> dict[str, Any]:
    """Figures as one JSON document, without the answers."""
    from rubric_engine.cli.plain_values import plain

    head = results.model_dump(mode="json", exclude={"tasks", "exit_code"})
    groups = {key: plain(summarise_by(results, key)) for key in by}
    return {"ok": True, **head, "summary": plain(summarise(results)), "by": groups, "exit_code": 0}


def quiet_line(results: Results, folder: Path) -> str:
    """Mean score, success rate, and where the results lie."""
    found = summarise(results)
    score = percent(found.score.value)
    return f"{score}   {percent(found.success.value)} successful   {printable(str(folder))}"


def overall(results: Results) -> Iterator[str | Table]:
    """Who answered what, and every figure over all tasks."""
    found, facts = summarise(results), results.task_set
    version = f" {facts.version}" if facts.version else ""
    tasks = f"{counted(found.tasks, 'task')}, {counted(len(results.answers), 'answer')}"
    where = f" at {results.agent.base_url}" if results.agent.base_url else ""
    models = f" ({', '.join(results.judge.models)})" if results.judge.models else ""
    yield printable(f"set     {facts.name}{version}   {tasks}   sha {facts.sha256[:8]}")
    yield printable(f"agent   {results.agent.name}{where}")
    yield printable(f"judge   {results.judge.name}{models}")
    yield from _state(results)
    yield ""
    if not found.asked:
        yield "no figures: no task has an answer yet"
        yield from _reasons(results)
        return
    yield fill(table("<figure", "value", "<n"), _figure_rows(found))
    every = figures(found)
    for name, (words, _) in _ROWS.items():
        if every[name].value is None:
            yield f"no {words}: {every[name].why}"
    yield from _reasons(results)


def _state(results: Results) -> Iterator[str]:
    """What is still to come of a run that was not carried out to its end."""
    if results.status == "done":
        return
    answers, open_ = results.answers, len(_not_judged(results))
    lack = sum(answer.status == "missing" for answer in answers)
    more = f"; {open_} not judged to the end" if open_ else ""
    yield f"status  {'still running, or killed' if results.status == 'running' else 'stopped'}"
    yield f"left    {lack} of {counted(len(answers), 'answer')} missing{more}"
    if results.command:
        # The cap that stopped it would stop it again; what its next call takes is told there.
        again = _CAP.sub(r"\1 N", results.command)
        yield printable(f"next    {again}   goes on")


def _figure_rows(found: Summary) -> Iterator[list[str]]:
    every = figures(found)
    for name, (words, kind) in _ROWS.items():
        figure = every[name]
        yield [words, shown(figure, kind), _n(figure)]
        if name == "score" and _is_open(found.score_range):
            n = counted(found.score_range.n, "answer")
            yield ["  where unknown ones count 0 or 1", range_of(found.score_range), n]
    if found.missing:
        yield ["missing, in no figure", str(found.missing), counted(found.missing, "answer")]


def _n(figure: Figure) -> str:
    return counted(figure.n, figure.of.removesuffix("s"))


def shown(figure: Figure, kind: str) -> str:
    """A figure as text; a dash where it is undefined."""
    if figure.value is None:
        return "-"
    if kind == "share":
        return percent(figure.value)
    return f"{figure.value:.1f}" if kind == "seconds" else f"{figure.value:.4f}"


def _is_open(found: Range) -> bool:
    return found.low != found.high


def range_of(found: Range) -> str:
    """A range as text; a dash where it is undefined."""
    if found.low is None or found.high is None:
        return "-"
    return f"{100 * found.low:.1f}-{percent(found.high)}"


def _reasons(results: Results) -> Iterator[str]:
    """Why answers are missing, failed, malformed, or without a whole score."""
    answers = results.answers
    for status in ("missing", "failed", "malformed"):
        why = Counter(a.reason or "" for a in answers if a.status == status)
        first = next((a for a in answers if a.status == status), None)
        if first is not None:
            told = ", ".join(f"{reason} {count:,}" for reason, count in why.most_common())
            yield printable(f"{status}: {told}; the first: {first.task}: {first.detail}", 300)
    loose = [answer for answer in answers if answer.claims and answer.claims.named]
    if loose:
        named = ", ".join(loose[0].claims.named) if loose[0].claims else ""
        told = f"claims without ground: in {counted(len(loose), 'answer')}"
        yield printable(f"{told}; the first: {loose[0].task}: {named}", 300)
    troubled = _not_judged(results)
    if troubled:
        first = next((answer for answer in troubled if answer.trouble), troubled[0])
        told = f": {first.trouble}" if first.trouble else ""
        yield printable(
            f"not judged to the end: {len(troubled)}; the first: {first.task}{told}", 300
        )


def _not_judged(results: Results) -> list[AnswerResult]:
    """Answers that are there, and whose judging has not ended or could not."""
    return [
        answer
        for answer in results.answers
        if answer.trouble or (answer.returned and not answer.finished)
    ]


def _ending(results: Results, folder: Path) -> Iterator[str]:
    yield from costs(results)
    yield f"result  {printable(str(folder / 'results.json'))}"
    if results.stopped:
        yield f"stopped {printable(results.stopped)}"
        capped = results.exit_code == BudgetError.exit_code
        if not results.command:  # else the state above names it
            under = " under a higher cap" if capped else ""
            yield f"next    the same command{under} goes on; what was paid for is not paid again"
        if capped:
            yield "        with --dry-run, the same command says what the rest may take"
    elif results.exit_code:
        yield "next    the same command asks again for what is missing"
    else:
        shown_at = printable(str(folder))
        yield f"next    rubric-engine bench report {shown_at}"
    if results.exit_code:
        yield f"exit    {results.exit_code}"


def costs(results: Results) -> Iterator[str]:
    """What agent and judges have cost."""
    from rubric_engine.spending.dollars import UNPRICED, show_dollars

    for who, cost in results.cost.items():
        tokens = cost.get("input_tokens", 0) + cost.get("output_tokens", 0)
        known = not cost.get("unpriced_attempts") and "usd" in cost
        dollars = show_dollars(cost["usd"]) if known else UNPRICED
        calls = counted(cost.get("calls", 0), "call")
        yield f"cost    {who:6} {dollars}   {calls}, {counted(tokens, 'token')}"
