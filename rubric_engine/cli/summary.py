"""The result of a grading for a person: score, categories, where the points went, what next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from rubric_engine.cli.costs import cost_lines
from rubric_engine.cli.going_on import going_on, run_name
from rubric_engine.cli.guard import canary_lines
from rubric_engine.cli.metric_lines import metric_lines
from rubric_engine.cli.monitor_lines import next_lines, summary_lines
from rubric_engine.cli.output import fill, percent, points, printable, show, span, table
from rubric_engine.cli.ran import ran_lines
from rubric_engine.cli.report_page import page_file
from rubric_engine.result import words_of

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.losses import Loss
    from rubric_engine.result import Report, Verdict

_VERDICTS: tuple[Verdict, ...] = ("met", "part", "not met", "open")


def score_lines(report: Report) -> Iterator[str]:
    """The headline: the range first where leaves are open, then value, policy and coverage."""
    said = words_of(report, report.disqualified)
    first = f"score  {printable(said.headline)}"
    yield f"{first}   {printable(said.beside)}" if said.beside else first
    yield from (f"       {printable(line)}" for line in said.below)


def quiet_line(report: Report, *, fell_back: bool = False) -> str:
    """The result in one line: range, value with its policy, coverage, and the run.

    Args:
        report: The report.
        fell_back: Whether another judge graded than would have where a key is set.
    """
    score, bounds = report.score, report.bounds
    parts = [span(bounds) if bounds.low is not None else "not applicable"]
    if report.disqualified is not None:
        parts = ["0.0% disqualified"]
    elif bounds.low is not None and bounds.coverage < 1:
        value = f"{percent(score.value)} missing={report.missing}"
        parts.append(f"({value}, {percent(bounds.coverage)} graded)")
    found = report.monitor
    if found is not None and found.verdict in ("suspicious", "violation"):
        parts.append(f"monitor={found.verdict}")
    if fell_back:
        parts.append(f"judge={printable(str(report.provenance['judge']['name']))} (no key)")
    return "  ".join([*parts, report.run or ""]).rstrip()


def category_table(report: Report) -> Table:
    """Categories: leaves by verdict, score, points of 100, and of these the lost and the open."""
    verdicts = {key: report.verdict(key) for key in report.rubric.leaves()}
    rows = []
    for name, row in report.categories.items():
        own = Counter(v for key, v in verdicts.items() if report.rubric[key].task_category == name)
        figures = map(points, (row.points, row.lost, row.open))
        rows.append([printable(name, 16), *_counts(own), span(row.score), *figures])
    whole = report.losses.get(report.rubric.root)
    if len(rows) > 1 and whole is not None:
        figures = map(points, (whole.worth, whole.lost, whole.open))
        rows.append(["all", *_counts(Counter(verdicts.values())), span(report.bounds), *figures])
    heads = ("met", "part", "not", "open")
    return fill(table("<category", *heads, "score", "points", "lost", "open pts"), rows)


def _counts(verdicts: Mapping[Verdict, int]) -> list[str]:
    return [str(verdicts.get(name, 0)) for name in _VERDICTS]


def lost_table(report: Report, limit: int | None = 5) -> Table | None:
    """The leaves, and groups that own their points, that cost most; None where none did."""
    rows = [_lost_row(report, key, loss) for key, loss in islice(report.lost_first(), limit)]
    if not rows:
        return None
    grid = table("lost", "open", "worth", "<key", "<requirement", wide="requirement")
    return fill(grid, rows, wide=4)


def _lost_row(report: Report, key: str, loss: Loss) -> list[str]:
    figures = map(points, (loss.lost, loss.open, loss.worth))
    return [*figures, printable(key, 24), printable(report.rubric[key].requirements)]


def print_summary(report: Report, code: int, gates: tuple[str, ...] = ()) -> None:
    """Print the result of a grading to stdout.

    Args:
        report: The report.
        code: The exit code.
        gates: What the gates that failed say.
    """
    show(*score_lines(report), *metric_lines(report), "", category_table(report))
    lost = lost_table(report)
    if lost is not None:
        show("\nwhere the points went", lost)
    show("", *closing_lines(report, code, gates))


def closing_lines(report: Report, code: int, gates: tuple[str, ...]) -> Iterator[str]:
    """Warnings, what failed, the run's folder, and what to do next."""
    run = run_name(report)
    for warning in report.warnings:
        yield f"warning {warning.code}  {printable(warning.message)}"
    yield from ran_lines(report)
    yield from (f"gate    {gate}" for gate in gates)
    yield from cost_lines(report.cost)
    yield from canary_lines(report)
    yield from summary_lines(report, run if report.run is not None else None)
    if code == 5:
        yield from _failed_lines(report)
    if code:
        yield f"exit    {code}"
    if report.run is not None:
        yield f"run     {printable(report.run)}"
        yield from (f"page    {printable(page)}" for page in page_file(report).values())
        again = going_on(report, stopped=report.stopped is not None)
        yield from (f"next    {printable(line)}" for line in again)
        if report.injections.count:
            yield f"next    rubric-engine show {run}     lists what speaks to the judge"
        yield from next_lines(report, run)
        yield f"next    rubric-engine show {run} --lost     rubric-engine show {run} LEAF"


def _failed_lines(report: Report) -> Iterator[str]:
    """The first leaves that failed, and why; the rest by number."""
    failed = [(key, grade) for key, grade in report.grades.items() if grade.failed]
    for key, grade in failed[:3]:
        first = (grade.explanation.splitlines() or [""])[-1]
        yield f"failed  {printable(key, 40)}  {grade.reason}  {printable(first, 200)}"
    if len(failed) > 3:
        yield f"        and {len(failed) - 3} more: rubric-engine show {run_name(report)} --open"
