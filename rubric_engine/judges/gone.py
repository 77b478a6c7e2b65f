"""Submissions whose files go, or change, while a judge reads them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from rubric_engine.criterion import Criterion
from rubric_engine.errors import SubmissionError
from rubric_engine.grading import Grade

Word = tuple[str, Grade]


async def with_reasons(
    words: AsyncIterator[Word], leaves: Sequence[Criterion]
) -> AsyncIterator[Word]:
    """Yield a judge's words; where a file is no longer what was listed, the rest is `infra`.

    Args:
        words: What the judge says of the leaves.
        leaves: What it was asked about.
    """
    left = dict.fromkeys(leaf.key for leaf in leaves)
    try:
        async for key, grade in words:
            left.pop(key, None)
            yield key, grade
    except SubmissionError as gone:
        for key in left:
            yield key, Grade.ungradeable("infra", gone.message)
