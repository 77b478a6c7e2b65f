"""From a case to a grade of every leaf: what is settled, then what the judge says of the rest."""

from __future__ import annotations

from rubric_engine.asking import ask
from rubric_engine.bookkeeping import Book
from rubric_engine.case import Case
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge
from rubric_engine.settled import settled


async def judge_case(judge: Judge, case: Case, book: Book) -> None:
    """Enter a grade for every leaf that the book has none of."""
    rubric = case.task.view
    if getattr(judge, "reads_run", True):
        for key, grade in settled(rubric, case.execution).items():
            book.enter(key, grade)
    pending = [rubric[key] for key in rubric.leaves() if key not in book.grades]
    if pending:
        await ask(judge, pending, case, book)
    for key in rubric.leaves():
        book.enter(key, Grade.ungradeable("infra", "the judge said nothing about this leaf"))
