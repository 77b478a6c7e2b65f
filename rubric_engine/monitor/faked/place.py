"""Where a number stands in the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from rubric_engine.monitor.texts import SourceText


@dataclass(frozen=True)
class Place:
    """Where a number stands: in a text, in which of its programs, and at which offset of that."""

    text: SourceText
    program: int
    offset: int

    @property
    def order(self) -> tuple[int, int]:
        """Its place in its text."""
        return self.program, self.offset

    @property
    def line(self) -> tuple[int, str]:
        """The line of the file, from 1, and what stands there."""
        code, placed = self.text.programs[self.program]
        number = code.count("\n", 0, self.offset)
        return placed(number + 1), code.split("\n")[number]


def best(places: Iterable[Place], result: str) -> Place:
    """The first place in that text which has most of them, or the name of the result, too.

    Args:
        places: Where numbers of the result stand, one of each number and text.
        result: Path of the result.
    """
    every = list(places)
    counts = Counter(place.text.path for place in every)
    name = PurePosixPath(result).name
    path = min(counts, key=lambda one: (-counts[one], PurePosixPath(one).name != name, one))
    return min((one for one in every if one.text.path == path), key=lambda one: one.order)
