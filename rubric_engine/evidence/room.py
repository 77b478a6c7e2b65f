"""How much evidence one prompt may hold, in one number that keeps two limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubric_engine.errors import PaperError

LEAST_TOKENS = 2000
"""A prompt with less room than this for files judges nothing."""

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True)
class Room:
    """The room for what leaves share: files, log and receipt.

    Attributes:
        tokens: Room in the model's window, in tokens: what paper, instructions, the longest
            criterion with its context and the answer leave of it.
        estimate: Tokens of a text by the fixed estimator. Never a tokenizer or the usage that
            came back: they would change prompts that are already paid for.
        max_chars: Most characters, or None for whatever fits.

    Raises:
        PaperError: Hardly anything is left (E405); nothing has been sent then.
    """

    tokens: int
    estimate: Callable[[str], int]
    max_chars: int | None = None

    def __post_init__(self) -> None:
        if self.tokens < LEAST_TOKENS:
            raise _no_room(self.tokens)

    @property
    def limit(self) -> int:
        """The most that the sizes of all texts of a prompt may add up to."""
        return self.tokens if self.max_chars is None else max(0, self.max_chars)

    @property
    def chars(self) -> int:
        """About how many characters `limit` stands for."""
        return self.limit * _CHARS_PER_TOKEN if self.max_chars is None else self.limit

    def size(self, text: str) -> int:
        """Size of a text in the unit of `limit`.

        It is the larger of the two shares that the text takes, of `max_chars` and of `tokens`:
        sizes that add up to no more than `limit` thus keep both.
        """
        tokens = self.estimate(text)
        if self.max_chars is None:
            return tokens
        return max(len(text), -(-tokens * self.limit // self.tokens))


def _no_room(tokens: int) -> PaperError:
    left = f"{tokens} tokens" if tokens > 0 else "nothing"
    return PaperError(
        "the paper and what else every prompt holds do not fit the model's context window: "
        f"{left} would be left for the submission's files, {LEAST_TOKENS} are needed",
        code="E405",
        fix=[
            "take a model with a larger window, or set model.context_tokens in the judge card if "
            "the window is larger than it says",
            "shorten the paper: leave out references and appendices that no criterion needs",
        ],
    )
