"""The result of a grading for a person: score, categories, where the points went, what next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import percent, points, printable, span, table

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.result import Report

POLICY = {
    "zero": "ungraded leaves count as 0 (missing=zero)",
    "renormalise": "ungraded leaves are left out (missing=renormalise)",
}


def score_lines(report: Report) -> Iterator[str]:
    """The headline: the range first where leaves are open, then value, policy and coverage."""
    score = report.score
    if report.disqualified is not None:
        earned = report.scores[report.rubric.root]
        yield f"score  0.0%   disqualified: {printable(report.disqualified)}"
        yield f"       the grades alone would give {percent(earned.value)}"
    elif score.value is None or score.low is None or score.high is None:
        yield "score  not applicable: no leaf is left to score"
    elif score.coverage == 1:
        yield f"score  {percent(score.value)}   every leaf that applies is graded"
    else:
        yield f"score  between {percent(score.low)} and {percent(score.high)}"
        yield f"       {percent(score.value)} if {POLICY[report.missing]}"
        yield f"       coverage {percent(score.coverage)} of the weight is graded"


def category_table(report: Report) -> Table:
    """Categories: leaves by verdict, score, points of 100, and of these the lost and the open."""
    grid = table("<category", *_VERDICTS, "score", "points", "lost", "open pts")
    verdicts = {key: verdict_of(report, key) for key in report.rubric.leaves()}
    for name, row in report.categories.items():
        own = Counter(v for key, v in verdicts.items() if report.rubric[key].task_category == name)
        figures = (row.points, row.lost, row.open)
        grid.add_row(printable(name, 16), *_counts(own), span(row.score), *map(points, figures))
    whole = report.losses.get(report.rubric.root)
    if len(report.categories) > 1 and whole is not None:
        figures = (whole.worth, whole.lost, whole.open)
        every = Counter(verdicts.values())
        grid.add_row("all", *_counts(every), span(report.score), *map(points, figures))
    return grid


_VERDICTS = ("met", "part", "not", "open")


def _counts(verdicts: Counter[str]) -> list[str]:
    return [str(verdicts[name]) for name in _VERDICTS]


def verdict_of(report: Report, key: str) -> str:
    """Word for the grade of a leaf: met, part, not, open or n/a."""
    grade = report.grades.get(key)
    if grade is None or grade.status == "ungradeable":
        return "open"
    if grade.score is None:
        return "n/a"
    return {1.0: "met", 0.0: "not"}.get(grade.score, "part")


def lost_table(report: Report, limit: int | None = 5) -> Table | None:
    """The leaves, and groups that own their points, that cost most; None where none did."""
    rows = list(islice(most_lost(report), limit))
    if not rows:
        return None
    grid = table("lost", "open", "worth", "<key", "<requirement", wide="requirement")
    for row in rows:
        grid.add_row(
            points(row["lost"]), points(row["open"]), points(row["worth"]),
            printable(row["key"], 24), printable(row["requirements"]),
        )  # fmt: skip
    return grid


def most_lost(report: Report) -> Iterator[dict[str, Any]]:
    """Yield what lost points, as plain values, the most first; ties in document order."""
    owners = {
        key: loss
        for key, loss in report.losses.items()
        if report.rubric.is_leaf(key) or report.rubric[key].aggregate not in (None, "weighted_mean")
    }
    ranked = sorted(owners.items(), key=lambda item: (-item[1].lost, -item[1].open))
    for key, loss in ranked:
        if loss.lost > 0:
            yield {
                "key": key,
                "requirements": report.rubric[key].requirements,
                "lost": loss.lost,
                "open": loss.open,
                "worth": loss.worth,
            }


def print_summary(report: Report, code: int) -> None:
    """Print the result of a grading to stdout."""
    from rubric_engine.cli.output import console

    out = console()
    for line in score_lines(report):
        out.print(line)
    out.print()
    out.print(category_table(report))
    lost = lost_table(report)
    if lost is not None:
        out.print("\nwhere the points went")
        out.print(lost)
    out.print()
    for line in closing_lines(report, code):
        out.print(line, soft_wrap=True)


def closing_lines(report: Report, code: int) -> Iterator[str]:
    """Warnings, the run's folder, and what to do next."""
    for notice in report.notices:
        yield f"warning {notice.code}  {printable(notice.message)}"
    if code:
        yield f"exit {code}  {EXIT_WORDS[code]}"
    if report.run is not None:
        yield f"run     {report.run}"
        run = shlex.quote(report.run) if Path(report.run).is_absolute() else "latest"
        yield f"next    rubric-engine show {run} --lost     rubric-engine show {run} LEAF"


EXIT_WORDS = {
    1: "a gate that was asked for failed",
    5: "leaves that this judge had to grade failed: rubric-engine show latest --open",
}
