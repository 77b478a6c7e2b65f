"""Which file helps with a leaf before anybody has looked for one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from rubric_engine.evidence.hints import names
from rubric_engine.files import is_source
from rubric_engine.texts import Texts

MOST = 20
"""Files that are offered for a leaf."""


class Beginning:
    """Offers files by number.

    Args:
        texts: What there is to read.
    """

    def __init__(self, texts: Texts) -> None:
        self._numbers = {
            text.path: number
            for number, text in enumerate(texts.all)
            if text.is_text and texts.is_meant(text)
        }
        self._hinted = lru_cache(256)(self._found)  # leaves of a group often name the same

    @property
    def first(self) -> int | None:
        """The README, else the first source, else the first text; None where there is no text."""
        ranked = sorted(self._numbers, key=_rank)
        return self._numbers[ranked[0]] if ranked else None

    def hinted(self, globs: Sequence[str]) -> tuple[int, ...]:
        """The files that a leaf's `evidence` names, in its order.

        Args:
            globs: The leaf's `evidence`.
        """
        return self._hinted(tuple(globs))

    def _found(self, globs: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self._matching(globs)))[:MOST]

    def _matching(self, globs: tuple[str, ...]) -> Iterator[int]:
        for glob in globs:
            yield from (at for path, at in self._numbers.items() if names(glob, path))


def _rank(path: str) -> tuple[int, int, str]:
    place = PurePosixPath(path)
    is_readme = place.name.lower().partition(".")[0] == "readme"
    return (0 if is_readme else 1 if is_source(path) else 2, len(place.parts), path)
