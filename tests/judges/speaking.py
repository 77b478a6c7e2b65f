"""Judges that say what they are told, for the tests of judges made of judges."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from rubric_engine import Case, Criterion, Grade, JudgeCard
from rubric_engine.case import Task
from rubric_engine.judge import Judge
from rubric_engine.judgeeval.cases.case import AbsentSubmission
from tests.judges.desk import leaf_of, rubric_of

Words = Mapping[str, Grade] | Callable[[str, int], Grade | None]


class Speaker:
    """Says what it is told of each leaf.

    Args:
        words: The words by key, or a function of key and sample; None of a leaf says nothing.
        name: Its name.
        error: Raised at the end.
        dies_at: The sample in which it is raised; any where this is None.
        turns: How often it lets others go first before each word.

    Attributes:
        asked: The keys and the sample of each time that it was asked.
    """

    reads_run = reads_submission = False

    def __init__(
        self,
        words: Words,
        name: str = "speaker",
        error: Exception | None = None,
        turns: int = 0,
        dies_at: int | None = None,
    ) -> None:
        self.card = JudgeCard(kind="tests:Speaker", name=name)
        self.asked: list[tuple[tuple[str, ...], int]] = []
        self._words, self._error, self._turns, self._dies_at = words, error, turns, dies_at

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        self.asked.append((tuple(leaf.key for leaf in leaves), sample))
        for leaf in leaves:
            for _ in range(self._turns):
                await asyncio.sleep(0)
            words = self._words
            word = words(leaf.key, sample) if callable(words) else words.get(leaf.key)
            if word is not None:
                yield leaf.key, word
        if self._error is not None and self._dies_at in (None, sample):
            raise self._error


def said(
    judge: Judge, keys: Sequence[str] = ("a",), *, sample: int = 0, scale: Sequence[float] = ()
) -> tuple[dict[str, Grade], Exception | None]:
    """What a judge says of leaves, and what it raises in the end."""
    steps = [{"score": score, "says": "so"} for score in scale]
    leaves = [leaf_of([], key, scale=steps) for key in keys]
    case = Case(Task("task", rubric_of(leaves)), AbsentSubmission("none"), None)
    found: dict[str, Grade] = {}

    async def collect() -> Exception | None:
        try:
            async for key, grade in judge.grade(leaves, case, sample=sample):
                assert key not in found
                found[key] = grade
        except Exception as error:  # noqa: BLE001  # the test looks at it
            return error
        return None

    return found, asyncio.run(collect())


def of(score: float, **more: Any) -> Grade:
    """A grade."""
    return Grade.graded(score, f"it is {score:g}", **more)
