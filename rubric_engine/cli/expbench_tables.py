"""Results of EXP-Bench, for a person and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import counted, fill, percent, print_json, printable, say, show, table
from rubric_engine.errors import BudgetError

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.benchmarks.expbench.grading import ExpResults, Row, Summary
    from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
    from rubric_engine.judgeeval.intervals import Interval

_MOST_REASONS = 3
_MOST_LOOKED_AT = 10
_REASON = 60
_WHY = 200


def print_graded(
    results: ExpResults,
    tau: float,
    folder: Path,
    given: Mapping[str, str | None],
    *,
    quiet: bool,
    as_json: bool,
) -> int:
    """Print what a grading gave to stdout.

    Args:
        results: The results.
        tau: The share from which on a part holds.
        folder: Where they are kept.
        given: Flags that name a model and its endpoint, as they were given.
        quiet: Print one line.
        as_json: Print one JSON document.

    Returns:
        The exit code.
    """
    from rubric_engine.benchmarks.expbench.grading.summary import summarise

    summary, code = summarise(results.answers, tau), results.exit_code
    if as_json:
        print_json(document(results, summary) | {"result": str(folder), "ok": code == 0})
    elif quiet:
        say(_line(summary, folder))
    else:
        show(*tables(results, summary), "", *_ending(results, folder, given))
    return code


def document(results: ExpResults, summary: Summary) -> dict[str, Any]:
    """Figures and answers as one JSON document."""
    from rubric_engine.cli.plain_values import plain

    head = results.model_dump(mode="json", exclude={"answers"})
    answers = [_plain_answer(one, summary.tau) for one in results.answers]
    return {"ok": True, **head, "tau": summary.tau, "summary": plain(summary), "answers": answers}


def _plain_answer(one: AnswerOutcome, tau: float) -> dict[str, Any]:
    from rubric_engine.cli.plain_values import plain

    facts = one.model_dump(mode="json", exclude={"digest", "leaves"})
    shares = {part: plain(one.share(part)) for part in ("D", "I", "C")}
    return {**facts, "shares": shares, "marks": one.marks(tau)}


def tables(results: ExpResults, summary: Summary) -> Iterator[str | Table]:
    """The tables, and why parts are undefined."""
    judge = ", ".join([results.judge, *results.models])
    sandbox = results.sandbox or "none, so nothing was run"
    yield f"EXP-Bench   judge {printable(judge, 40)}   sandbox {printable(sandbox)}"
    yield f"{counted(summary.questions, 'question')} of {counted(summary.papers, 'paper')}"
    yield (
        f"answers: {summary.answers['whole']} whole, {summary.answers['part']} in part, "
        f"{summary.answers['none']} with nothing to grade"
    )
    yield f"D, I and C hold from {percent(summary.tau)} of their leaves on (--tau)"
    yield ""
    rows = [(name, row) for name, row in summary.rows() if (name, row.name) != ("chain", "M")]
    yield fill(
        table("<figure", "<what", "value", "of", "undefined", "range", "95 % by paper"),
        (_cells(row) for _, row in rows),
    )
    yield ""
    yield "of: answers of which it is defined; undefined ones are in no denominator"
    yield "range: if all that is undefined had failed, or held"
    yield from _no_intervals([row for _, row in rows])
    yield from _whys(summary)
    yield from _claimed(results)
    yield from _looked_at(results)
    if results.strangers:
        named = ", ".join(results.strangers[:_MOST_REASONS])
        many = len(results.strangers)
        yield f"not graded: {counted(many, 'folder')} of no question: {printable(named, 300)}"


def _cells(row: Row) -> list[str]:
    value = percent(row.value) if row.value is not None else "-"
    between = f"{100 * row.low:.1f}-{percent(row.high)}" if row.undefined else ""
    return [
        row.name,
        row.says,
        value,
        str(row.n),
        str(row.undefined),
        between,
        _range(row.interval),
    ]


def _no_intervals(rows: Sequence[Row]) -> Iterator[str]:
    """Why figures have no interval."""
    whys = dict.fromkeys(row.interval.why for row in rows if row.interval.low is None)
    if whys:
        yield f"no 95 % by paper (-): {'; '.join(filter(None, whys))}"


def _range(found: Interval) -> str:
    if found.low is None or found.high is None:
        return "-"
    return f"{100 * found.low:.1f}-{percent(found.high)}"


def _whys(summary: Summary) -> Iterator[str]:
    """Why parts are undefined, the commonest reasons first; one more is as short as its count."""
    for part, whys in summary.undefined.items():
        told = [f"{printable(why, _WHY)} ({many})" for why, many in whys.items()]
        if len(told) > _MOST_REASONS + 1:
            more = sum(list(whys.values())[_MOST_REASONS:])
            told[_MOST_REASONS:] = [f"{len(told) - _MOST_REASONS} other reasons ({more})"]
        if told:
            yield f"{part} undefined: {'; '.join(told)}"


def _claimed(results: ExpResults) -> Iterator[str]:
    """The hallucination share of all answers whose claims were checked."""
    checked = [(one, one.monitor.claims) for one in results.answers]
    known = [(one, claims) for one, claims in checked if claims and claims.share is not None]
    count = sum(claims.claims for _, claims in known)
    loose = [(one, claims.ungrounded) for one, claims in known if claims.ungrounded]
    if loose:
        share = percent(sum(many for _, many in loose) / count)
        yield (
            f"claims without ground: {share} of {counted(count, 'claim')}, "
            f"in {counted(len(loose), 'answer')}; the first: {printable(loose[0][0].task)}"
        )


def _looked_at(results: ExpResults) -> Iterator[str]:
    """What people decided of findings, and which run they have to look at."""
    words = [said for one in results.answers for said in one.monitor.last.values()]
    if words:
        confirmed = sum(said.decision == "confirm" for said in words)
        yield f"M by people: {confirmed} confirmed, {len(words) - confirmed} dismissed"
    if any(one.monitor.value is False for one in results.answers):
        yield "a violation fails M alone: D, I, C and E stay as they were judged, while `show`"
        yield "of a run that is disqualified calls all of its metrics false"
    open_ = [one for one in results.answers if one.monitor.verdict == "suspicious"]
    if open_:
        runs = "" if results.runs == "runs" else f" --runs {quote(printable(results.runs))}"
        yield f"M to be looked at: {counted(len(open_), 'answer')}, each by its run"
        for one in open_[:_MOST_LOOKED_AT]:
            yield f"  {printable(one.task)}: {_found(one)}"
            yield f"    rubric-engine monitor show {printable(str(one.run))}{runs}"
        if len(open_) > _MOST_LOOKED_AT:
            yield f"  and {len(open_) - _MOST_LOOKED_AT} more: --json lists all"
        yield "  and then: monitor confirm | dismiss RUN FINDING --why TEXT"


def _found(answer: AnswerOutcome) -> str:
    """What is suspicious in an answer, and where."""
    mark = answer.monitor
    suspicious = (one for one in mark.findings if one.severity == "suspicious")
    first, *others = (one for one in suspicious if one.id not in mark.last)
    more = f", and {len(others)} more" if others else ""
    return f"{first.rule} at {printable(first.place, _REASON)}{more}"


def _line(summary: Summary, folder: Path) -> str:
    rows = [row for name, row in summary.rows() if name == "parts"]
    rows += [row for _, row in summary.rows() if row.name in ("All", "All.E", "MDCIE")]
    told = (f"{row.name} {round((row.value or 0) * row.n)}/{row.n}" for row in rows)
    return f"{'  '.join(told)}  {printable(str(folder))}"


def _ending(results: ExpResults, folder: Path, given: Mapping[str, str | None]) -> Iterator[str]:
    from rubric_engine.spending.dollars import UNPRICED, show_dollars

    cost = results.cost
    if cost.get("calls") or cost.get("attempts"):
        known = not cost.get("unpriced_attempts") and "usd" in cost
        tokens = cost.get("input_tokens", 0) + cost.get("output_tokens", 0)
        dollars = show_dollars(cost["usd"]) if known else UNPRICED
        yield f"cost    {dollars}   {counted(cost.get('calls', 0), 'call')}, {tokens:,.0f} tokens"
    troubled = [one for one in results.answers if one.trouble]
    if troubled:
        first = f"{troubled[0].task}: {troubled[0].trouble}"
        yield printable(f"not graded to the end: {len(troubled)}; the first: {first}", 300)
    place = printable(str(folder))
    yield f"result  {place}"
    if results.stopped:
        yield f"stopped {printable(results.stopped)}"
        capped = results.exit_code == BudgetError.exit_code
        under = " under a higher cap" if capped else ""
        yield f"next    the same command{under} goes on; what was paid for is not paid again"
        if capped:
            yield "        with --dry-run, the same command says what the rest may take"
    elif results.exit_code:
        yield "next    the same command asks again for what is missing"
    else:
        yield from _next(results, folder, given)
    if results.exit_code:
        yield f"exit    {results.exit_code}"


def _next(results: ExpResults, folder: Path, given: Mapping[str, str | None]) -> Iterator[str]:
    """What leads on from results that are whole."""
    from rubric_engine.benchmarks.expbench.taxonomy.failures import failures

    place = quote(printable(str(folder)))
    if not failures(results):
        yield f"next    rubric-engine expbench report {place}   the table again"
        return
    model = given["--model"] or next(iter(results.models), "NAME")
    flags = {**given, "--model": model, "--runs": results.runs if results.runs != "runs" else None}
    more = " ".join(f"{flag} {quote(printable(said))}" for flag, said in flags.items() if said)
    named = "" if model != "NAME" else "; NAME is a chat model"
    yield f"next    rubric-engine expbench taxonomy {place} {more}   why leaves failed{named}"


def write_figures(results: ExpResults, tau: float, path: Path) -> None:
    """Write the figures as CSV."""
    from rubric_engine.benchmarks.expbench.grading.results_csv import figures_csv
    from rubric_engine.benchmarks.expbench.grading.summary import summarise
    from rubric_engine.replacing import replace_text

    replace_text(path, figures_csv(summarise(results.answers, tau)))
