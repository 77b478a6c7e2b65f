"""Asking a judge, which may be anybody's code."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Protocol

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, RubricEngineError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge


class Desk(Protocol):
    """Where a judge's words are entered."""

    def enter(self, key: str, grade: Grade, receipts: Iterable[Receipt] = ()) -> None:
        """Enter a grade; the first of a leaf stands."""
        ...

    def note(self, code: str, message: str, details: str = "") -> None:
        """Enter a warning."""
        ...

    def stop(self, error: RubricEngineError) -> None:
        """Enter what ended the judging early."""
        ...


async def ask(judge: Judge, pending: Sequence[Criterion], case: Case, book: Desk) -> None:
    """Enter what a judge says; one that breaks leaves the rest ungradeable, and the run whole.

    Args:
        judge: The judge.
        pending: The leaves to ask about.
        case: What it may read.
        book: Where its words are entered.

    Raises:
        RubricEngineError: An error of ours, but for those that end the judging early: these are
            entered in the book.
    """
    asked = {leaf.key for leaf in pending}
    try:
        said = _said(judge, pending, case)
        while (word := await _next(said)) is not None:
            key, grade = word
            if key in asked and isinstance(grade, Grade):
                book.enter(key, grade, _receipts(judge, grade))
            else:
                book.note("W208", f"the judge said {grade!r:.200} of {key!r}: no leaf or no grade")
    except (BudgetError, CredentialsError, ProviderError) as error:
        book.stop(error)
    except JudgeBrokeError as error:
        book.note("W207", str(error), error.details)
        for key in asked:
            book.enter(key, Grade.ungradeable("infra", str(error)))


def _receipts(judge: Judge, grade: Grade) -> list[Receipt]:
    """What a grade and those of its members name, as far as the judge has it."""
    known = getattr(judge, "receipts", None)
    if not isinstance(known, Mapping):
        return []
    found = [known.get(part.receipt) for part in grade.parts()]
    return [receipt for receipt in found if isinstance(receipt, Receipt)]


class JudgeBrokeError(Exception):
    """What a judge raised that is no error of ours, in words."""

    def __init__(self, error: BaseException) -> None:
        try:
            what = f"{type(error).__name__}: {error}"
        except Exception:  # noqa: BLE001  # even its words may be broken
            what = type(error).__name__
        super().__init__(f"the judge broke: {what}")
        self.details = "".join(traceback.format_exception(error))


def _said(judge: Judge, pending: Sequence[Criterion], case: Case) -> AsyncIterator[Any]:
    try:
        said = judge.grade(pending, case)
    except Exception as error:
        raise JudgeBrokeError(error) from error
    if not hasattr(said, "__anext__"):
        wrong = TypeError("grade must be `async def` and yield (key, grade); see docs/library.md")
        if asyncio.iscoroutine(said):
            said.close()
        raise JudgeBrokeError(wrong)
    return said


async def _next(said: AsyncIterator[Any]) -> tuple[Any, Any] | None:
    """The judge's next word; whatever it raises is the judge's, our own errors and stops aside."""
    task = asyncio.current_task()
    try:
        key, grade = await anext(said)
    except StopAsyncIteration:
        return None
    except (RubricEngineError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if task is not None and task.cancelling():
            raise
        raise JudgeBrokeError(error) from error
    return key, grade
