"""A judge that another package adds: it counts the words that a leaf and the README share."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from rubric_engine import Case, Criterion, Grade, JudgeCard
from rubric_engine.errors import SubmissionError

README = "README.md"


class SharedWords:
    """Says "met" where the README has a share of the leaf's words, by the card's `share`."""

    def __init__(self, card: JudgeCard) -> None:
        self.card = card
        self._share = float(card.settings.get("share", 0.5))

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; a README that cannot be read is a reason, not a zero."""
        try:
            readme = case.submission.read(README) if README in case.submission.files else ""
        except SubmissionError as error:
            for leaf in leaves:
                yield leaf.key, Grade.ungradeable("infra", error.message)
            return
        known = _words(readme)
        for leaf in leaves:
            wanted = _words(leaf.requirements)
            shared = len(wanted & known) / len(wanted) if wanted else 0.0
            yield leaf.key, Grade.graded(float(shared >= self._share), f"{shared:.0%} shared")


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))
