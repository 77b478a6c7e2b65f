"""A comparison of two runs for a person: both scores, what is shown, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from rubric_engine.cli.metric_lines import change_lines
from rubric_engine.cli.output import fill, printable, span, table
from rubric_engine.figures import points, signed
from rubric_engine.result import words_of
from rubric_engine.score_words import POLICY

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.comparing import Change, Comparison, Regression
    from rubric_engine.result import Report

Hide = Callable[[str], str]
"""Hides what nobody should send on in a text of others."""

MOST = 10
"""Changes that are listed where not all are asked for."""

_STILL = 1e-9
"""Points that are no move, but rounding."""

MOST_LINES = 12
"""Lines of a reason; --json has all of it."""


def comparison_parts(
    found: Comparison, *, every: bool = False, hide: Hide = str
) -> Iterator[str | Table]:
    """Everything that `compare` prints of two runs.

    Args:
        found: The comparison.
        every: All changes with both reasons, in place of the first ones without.
        hide: Hides what nobody should send on in a text of others.
    """
    from rubric_engine.comparing import said_of_flips, said_of_test

    yield from gap_lines(found)
    yield ""
    yield from _heads(found, hide)
    yield ""
    yield from change_lines(found.metrics)
    yield printable(hide(said_of_test(found)))
    yield from (printable(hide(said_of_flips(found, rate))) for rate in found.flip_rates)
    yield ""
    yield _kinds_table(found)
    if not found.changes:
        return
    yield ""
    if every:
        yield from (line for one in found.changes for line in _both_reasons(found, one, hide))
    else:
        yield _changes_table(found, hide)
        yield from _more(found)


def gap_lines(found: Comparison) -> Iterator[str]:
    """The difference: its range first where leaves without a grade leave it open."""
    gap = found.gap
    if gap.low is None or gap.high is None:
        yield f"B less A  undefined: {gap.why}"
        return
    if gap.is_exact and gap.value is not None:
        yield f"B less A  {signed(gap.value)} points"
        return
    yield f"B less A  between {signed(gap.low)} and {signed(gap.high)} points"
    if gap.value is None:
        yield f"          no value: {gap.why} (missing={found.first.missing})"
    else:
        yield f"          {signed(gap.value)} if {POLICY[found.first.missing]}"


def gate_line(limit: Regression, hide: Hide = str) -> str:
    """What a gate says, whether it fails or not.

    Args:
        limit: The gate.
        hide: Hides what nobody should send on in a text of others.
    """
    head = f"gate    --fail-on-regression {limit.limit:.15g}"
    if limit.undecided is not None:
        return f"{head} is not decided: {printable(hide(limit.undecided))}"
    said = f"the low end of the score {_moved(limit)}"
    return f"{head} {'fails' if limit.failed else 'holds'}: {said}"


def _moved(limit: Regression) -> str:
    fell = limit.fell or 0.0
    if abs(fell) < _STILL and not limit.failed:
        return "did not move"
    if fell < 0:
        return f"rose by {points(-fell, 2)} points"
    # So many digits that the figure lies on the side of the limit that the gate says.
    shown = (f"{fell:.{digits}f}" for digits in range(2, 16))
    told = next((text for text in shown if (float(text) > limit.limit) == limit.failed), str(fell))
    return f"fell by {told} points"


def _heads(found: Comparison, hide: Hide) -> Iterator[str | Table]:
    from rubric_engine.comparing import said_of_holes
    from rubric_engine.comparing.facts import fact

    rows = []
    for name, report in (("A", found.first), ("B", found.second)):
        judge = fact(report, "judge", "name") or "-"
        run = PurePath(report.run).name if report.run is not None else "-"
        rows.append([name, _score(report), printable(hide(judge), 20), printable(hide(run))])
    yield fill(table("<run", "score", "<judge", "<name", wide="name"), rows, wide=3)
    for name, report in (("A", found.first), ("B", found.second)):
        if not report.is_whole:
            words = words_of(report, report.disqualified)
            yield from _indented(name, [printable(hide(line)) for line in words.lines])
        if holes := said_of_holes(name, report):
            yield printable(hide(holes))
    for one in found.unlike:
        yield f"differs  {one.name}: {_fact(one.a, hide)} | {_fact(one.b, hide)}"


def _indented(name: str, lines: Sequence[str]) -> Iterator[str]:
    """Lines of which the first begins with a name."""
    yield from (f"{' ' if at else name}  {line}" for at, line in enumerate(lines))


def _score(report: Report) -> str:
    if report.disqualified is not None:
        return "0.0% disqualified"
    return span(report.bounds) if report.bounds.low is not None else "not applicable"


def _fact(text: str | None, hide: Hide) -> str:
    return "none" if text is None else printable(hide(text), 40)


def _kinds_table(found: Comparison) -> Table:
    from rubric_engine.comparing import KIND_WORDS

    rows = [
        [KIND_WORDS[row.kind], f"{row.leaves:,}", "-" if row.points is None else signed(row.points)]
        for row in found.kinds
    ]
    total = "-" if found.gap.value is None else signed(found.gap.value)
    rows.append(["all", f"{len(found.leaves):,}", total])
    return fill(table("<what happened", "leaves", "points"), rows)


def _changes_table(found: Comparison, hide: Hide) -> Table:
    from rubric_engine.comparing import what_happened

    rows = []
    for one in found.changes[:MOST]:
        key, text = map(hide, _named(found, one))
        rows.append([_points(one), what_happened(found, one), printable(key, 20), printable(text)])
    grid = table("points", "<what happened", "<key", "<requirement", wide="requirement")
    return fill(grid, rows, wide=3)


def _more(found: Comparison) -> Iterator[str]:
    left = len(found.changes) - MOST
    if left > 0:
        yield f"and {left:,} more"
    yield "next    --leaves lists every change, with the reasons of both runs"


def _points(change: Change) -> str:
    return "-" if change.points is None else signed(change.points)


def _named(found: Comparison, change: Change) -> tuple[str, str]:
    """Key and text of a criterion, as the second run has it where it does."""
    report, key = (found.second, change.b) if change.b is not None else (found.first, change.a)
    assert key is not None
    return key, report.rubric[key].requirements


def _both_reasons(found: Comparison, change: Change, hide: Hide) -> Iterator[str]:
    from rubric_engine.comparing import what_happened

    key, text = map(hide, _named(found, change))
    yield f"{_points(change)}  {what_happened(found, change)}   {printable(key)}"
    yield f"  {printable(text)}"
    for name, report, own in (("A", found.first, change.a), ("B", found.second, change.b)):
        if own is not None and report.rubric.is_leaf(own):
            yield from _reason(name, report, own, hide)


def _reason(name: str, report: Report, key: str, hide: Hide) -> Iterator[str]:
    grade = report.grades.get(key)
    said = hide(grade.explanation) if grade is not None else ""
    lines = said.splitlines() or ["no reason given"]
    why = f" ({grade.reason})" if grade is not None and grade.reason else ""
    yield f"  {name}  {report.verdict(key)}{why}: {printable(lines[0])}"
    yield from (f"     {printable(line)}" for line in lines[1:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"     ({len(lines) - MOST_LINES} more lines: --json has all of them)"
