"""What evaluating a check comes to: an `Evaluation`, or `Undecided` where nobody can tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from rubric_engine.grading import Citation, Reason
from rubric_engine.near import near

MAX_QUOTE = 200
"""Characters of a quote from a submission."""

MAX_WORDS = 600
"""Characters of what a check looked for or found."""

MAX_CITATIONS = 3

_MOST_COMPARED = 2000


@dataclass(frozen=True)
class Evaluation:
    """What a check found.

    Attributes:
        score: 1 where it holds, 0 where it does not, a fraction where the leaf gives partial
            credit.
        found: In words, for a person.
        citations: Where, the first few.
        best: The score if all that could not be read spoke for the check; `score` itself takes
            it to speak against. None stands for `score`.
    """

    score: float
    found: str
    citations: tuple[Citation, ...] = ()
    best: float | None = None


class Undecided(Exception):  # noqa: N818  # no error: an answer that ends a check early
    """The check cannot be evaluated: the rubric is wrong, a bound is passed, or nothing ran.

    Never leaves the rules judge, which turns it into a result without a score.
    """

    def __init__(self, reason: Reason, found: str) -> None:
        super().__init__(found)
        self.reason = reason
        self.found = found


def short(text: str, limit: int = MAX_QUOTE) -> str:
    """Return `text` cut to `limit` characters, with an ellipsis where something is left out."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def meant(name: str, names: Iterable[str]) -> str | None:
    """Ask whether a near one of some untrusted names was meant; few and short ones are compared."""
    return near(name, islice((each for each in names if len(each) <= 100), _MOST_COMPARED))


def some(names: Iterable[str], most: int = 3) -> str:
    """List the first few names in words: ``a, b and 5 more``."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``3 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def cite(path: str, line: int | None = None, quote: str | None = None) -> Citation:
    """Cite a line that the engine itself has just read."""
    text = short(quote.strip()) if quote else None
    return Citation(
        path=path, start_line=line, end_line=line, quote=text or None, verified="verified"
    )
