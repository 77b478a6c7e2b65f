"""The end of a grading: what must not pass for success, and the report."""

from __future__ import annotations

from rubric_engine.bookkeeping import Book
from rubric_engine.case import Case
from rubric_engine.connection import Connection
from rubric_engine.result import Report

_MOST_NAMED = 5
"""Leaves that a message names."""


def close(connection: Connection, case: Case, book: Book) -> Report:
    """Close the books of a run whose leaves all have a grade.

    Args:
        connection: What its models were asked through.
        case: What was graded.
        book: Its books.

    Returns:
        The report.
    """
    for error in (book.lost(), connection.failure()):
        if error is not None:
            book.fail(error)
    return book.close(case, connection.cost())


def note_paid(connection: Connection, case: Case, book: Book) -> None:
    """Where earlier runs paid for some calls, note the leaves that were paid for all the same."""
    recalled, asked = len(connection.recalled()), connection.asked()
    leaves = case.task.view.leaves()
    paid = [key for key in leaves if not asked.isdisjoint(book.grades[key].calls)]
    if recalled and paid:
        more = f" and {len(paid) - _MOST_NAMED} more" if len(paid) > _MOST_NAMED else ""
        many = "1 leaf" if len(paid) == 1 else f"{len(paid)} leaves"
        served = f"{recalled} calls on record from earlier runs, and new calls for {many}"
        book.note("W213", f"{served}: {', '.join(paid[:_MOST_NAMED])}{more}")
