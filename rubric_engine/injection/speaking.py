"""Whether a text that people do not see speaks of judging."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rubric_engine.injection.phrases import phrases

_OF_JUDGING = re.compile(
    r"\b(?:judge|grader|grading|rubric|criteri(?:on|a)|verdict|reviewer|evaluator|submission|"
    r"instructions?|language model|met|satisfied|full marks|score)\b"
    r"|评审|评委|评分|满分|得分|判定|指令",
    re.IGNORECASE,
)
_NEAR = 300  # characters between two different words of judging that make a text suspect


def speaks(said: str) -> Iterator[int]:
    """Where a hidden text speaks of judging: at a phrase, or at two different words of it."""
    yield from (spot.start for spot in phrases(said))
    before: re.Match[str] | None = None
    for word in _OF_JUDGING.finditer(said):
        is_near = before is not None and word.start() - before.end() <= _NEAR
        if before is not None and is_near and word[0].lower() != before[0].lower():
            yield before.start()
            before = None
        else:
            before = word
