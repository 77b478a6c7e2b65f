"""How tokens are counted for price and display. What goes into a prompt never depends on it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rubric_engine.ledger import Call, Ledger
from rubric_engine.ledger.keys import canonical
from rubric_engine.model import ModelConfig, Usage
from rubric_engine.spending.tokenizer import tokenizer
from rubric_engine.tokens import estimate_tokens

ANSWER_TOKENS = 800
"""Tokens of a usual answer: a few sentences, two or three citations, some reasoning."""

_MOST_CALLS = 20


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


def counting(config: ModelConfig, ledger: Ledger | None) -> Counting:
    """The best way to count for a model that is at hand.

    Args:
        config: The model.
        ledger: Tells what the server counted of earlier prompts; None where there is none.
    """
    count = tokenizer(config.name)
    base = Counting() if count is None else Counting(count, source="tokens counted by tiktoken")
    earlier = ledger.measured(config.requested, _MOST_CALLS) if ledger is not None else []
    return _corrected(base, earlier) if earlier else base


def _corrected(base: Counting, earlier: Sequence[tuple[Call, Usage]]) -> Counting:
    sizes: dict[str, int] = {}

    def size(call: Call) -> int:
        for message, (_, sha256) in zip(call.messages, call.parts, strict=True):
            if sha256 not in sizes:
                sizes[sha256] = base.count(message.content)
        schema = base.count(canonical(call.schema)) if call.schema else 0
        return schema + sum(sizes[sha256] for _, sha256 in call.parts)

    # The median, for an answer that was asked for twice counts its prompt twice.
    factor = statistics.median(usage.input_tokens / max(size(call), 1) for call, usage in earlier)
    answer = statistics.median(usage.output_tokens for _, usage in earlier)
    if not factor:
        return base
    words = f"{base.source}, x {factor:.2f} as {len(earlier)} earlier calls were counted"
    return Counting(base.count, factor, round(answer) or ANSWER_TOKENS, words)
