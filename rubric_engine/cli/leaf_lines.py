"""One criterion of a run for a person: its place, its grade, and what its judge was shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.member_lines import member_lines
from rubric_engine.cli.output import points, printable, span

if TYPE_CHECKING:
    from rubric_engine.evidence import Receipt
    from rubric_engine.grading import Grade
    from rubric_engine.result import Report

_MOST_LINES = 20
"""Lines of a receipt; a longer one is folded. --json has all of it."""


def score_word(report: Report, key: str) -> str:
    """A leaf's verdict, or a group's score with its range."""
    return report.verdict(key) if report.rubric.is_leaf(key) else span(report.scores[key])


def leaf_lines(report: Report, key: str) -> Iterator[str]:
    """All that is known of a criterion; a group shows how its children stand."""
    yield from _head_lines(report, key)
    for child in report.rubric.children(key):
        yield f"    {score_word(report, child):>12}  {_label(report, child)}"
    grade = report.grades.get(key)
    if grade is not None:
        yield from (*_grade_lines(grade), *member_lines(grade), *_receipt_lines(report, grade))


def _receipt_of(report: Report, grade: Grade | None) -> Receipt | None:
    from rubric_engine.kept import find_receipt

    if grade is None or grade.receipt is None or report.run is None:
        return None
    return find_receipt(Path(report.run), grade.receipt)


def receipt_dict(report: Report, grade: Grade | None) -> dict[str, Any] | None:
    """What the judge of a leaf was and was not shown, as plain values; None where it is unknown."""
    receipt = _receipt_of(report, grade)
    return receipt.to_dict() if receipt is not None else None


def _receipt_lines(report: Report, grade: Grade) -> Iterator[str]:
    """What of the submission the judge was shown; of many files, folder by folder."""
    receipt = _receipt_of(report, grade)
    if receipt is None:
        return
    yield "evidence"
    for line in receipt.text(lambda text: text.count("\n") <= _MOST_LINES).splitlines():
        yield f"  {printable(line)}"
    if receipt.union:
        yield f"  shown alike to all leaves: {', '.join(receipt.union)}"
    if receipt.unranked:
        why = printable(receipt.unranked)
        yield f"  The model did not rank the files ({why}): they were chosen by their words."


def _label(report: Report, key: str) -> str:
    return f"{printable(key)}: {printable(report.rubric[key].requirements)}"


def _head_lines(report: Report, key: str) -> Iterator[str]:
    criterion, loss = report.rubric[key], report.losses.get(key)
    kind = criterion.task_category or f"group of {len(report.rubric.children(key))}"
    worth = "its points belong to a group above"
    if loss is not None:
        worth = f"worth {points(loss.worth)} of 100, lost {points(loss.lost)}"
    yield "   ".join((score_word(report, key), worth, printable(kind), printable(key)))
    for above in report.rubric.path(key)[:-1]:
        yield f"  in {printable(report.rubric[above].requirements)}"
    yield f"  {printable(criterion.requirements)}"


def _check_word(score: float | None) -> str:
    if score is None:
        return "open"
    return {1.0: "holds", 0.0: "fails"}.get(score) or f"{score:.3g}"


def _grade_lines(grade: Grade) -> Iterator[str]:
    if grade.reason:
        yield f"ungradeable  {grade.reason}"
    if grade.score is not None:
        yield f"score        {grade.score:.3g}"
    why = grade.explanation.splitlines()
    for at, line in enumerate(why[:1] if grade.checks else why):  # the checks follow one by one
        yield f"{'' if at else 'why':12} {printable(line)}"
    for check in grade.checks:
        yield f"{check.check}: {_check_word(check.score)}"
        yield f"  looked for {printable(check.looked_for)}"
        yield f"  found      {printable(check.found)}"
        yield from (f"  at         {printable(str(place))}" for place in check.citations)
