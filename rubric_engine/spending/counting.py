"""How tokens are counted for price and display. What goes into a prompt never depends on it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rubric_engine.ledger import CountedAnswer, LedgerReader
from rubric_engine.model import ModelConfig
from rubric_engine.spending.tokenizer import tokenizer
from rubric_engine.tokens import estimate_tokens

ANSWER_TOKENS = 800
"""Tokens of a usual answer: a few sentences, two or three citations, some reasoning."""

_MOST_ANSWERS = 20


@dataclass(frozen=True)
class Counting:
    """Counts what is planned.

    Attributes:
        count: Tokens of a text.
        factor: What the server counted of earlier prompts for each token that `count` gave them.
        answer_tokens: Tokens of a usual answer.
        source: How it counts, in words.
    """

    count: Callable[[str], int] = estimate_tokens
    factor: float = 1.0
    answer_tokens: int = ANSWER_TOKENS
    source: str = "tokens estimated by script"

    def __call__(self, text: str) -> int:
        """Tokens of a text."""
        return round(self.count(text) * self.factor)


def counting(
    config: ModelConfig, ledger: LedgerReader | None, endpoint: str | None = None
) -> Counting:
    """The best way to count for a model that is at hand.

    Args:
        config: The model.
        ledger: Tells what the server counted of earlier prompts; None where there is none.
        endpoint: Address that is asked, where it is not that of chats.
    """
    if ledger is not None:
        earlier = ledger.counted(endpoint or config.base_url, config.name, _MOST_ANSWERS)
        if earlier:
            return _corrected(earlier)
    count = tokenizer(config.name)
    return Counting() if count is None else Counting(count, source="tokens counted by tiktoken")


def _corrected(earlier: Sequence[CountedAnswer]) -> Counting:
    factor = statistics.median(each.usage.input_tokens / each.estimate for each in earlier)
    answer = statistics.median(each.usage.output_tokens for each in earlier)
    words = f"tokens estimated, x {factor:.2f} as {len(earlier)} earlier answers were counted"
    return Counting(factor=factor, answer_tokens=round(answer), source=words)
