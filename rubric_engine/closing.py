"""The end of a grading: what must not pass for success, and the report."""

from __future__ import annotations

from rubric_engine.bookkeeping import Book
from rubric_engine.case import Case
from rubric_engine.connection import Connection
from rubric_engine.result import Report


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
