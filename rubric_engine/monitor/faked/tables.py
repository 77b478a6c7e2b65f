"""Small tables whose numbers stand side by side in the code, be they ever so short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath

from rubric_engine.files import File
from rubric_engine.monitor.faked.place import Place
from rubric_engine.monitor.numbers import numbers
from rubric_engine.monitor.texts import SourceText

LEAST_CELLS = 6
"""Numbers from which a table is judged."""

LEAST_VALUES = 4
"""Different numbers of two digits or more that a table has at least."""

SHARE = 0.8
"""Share of a table's numbers that stand in the code beside one of their neighbours."""

SHARE_OF_COLUMN = 0.6
"""The same for each of its columns: what was measured is one of them."""

_MOST_BYTES = 20_000
_GAP = 24
_TWO_DIGITS = 10

Pair = tuple[float, float]
Pairs = Mapping[Pair, Place]


def is_small_table(file: File) -> bool:
    """Whether a file is a table that somebody may have typed."""
    suffix = PurePosixPath(file.path.lower()).suffix
    return suffix in (".csv", ".tsv") and file.size <= _MOST_BYTES


def pairs_of(texts: Iterable[SourceText]) -> dict[Pair, Place]:
    """Numbers that stand side by side in programs, each pair with its first place.

    Short numbers are in every program; two of them in the order of a table are in few.
    """
    found: dict[Pair, Place] = {}
    for text in texts:
        for program, (code, _) in enumerate(text.programs):
            for one, other in pairwise(numbers(code)):
                if other.start - one.end <= _GAP and _tells(one.value, other.value):
                    place = Place(text, program, one.start)
                    found.setdefault((one.value, other.value), place)
    return found


def typed(table: str, pairs: Pairs) -> tuple[list[Place], int, int] | None:
    """Where a table's numbers stand in the code, if they are enough.

    Returns:
        The places of its pairs, how many of its numbers stand there, and how many it has.
    """
    rows = [[number.value for number in numbers(line)] for line in table.split("\n")]
    rows = [row for row in rows if row]
    cells = {(y, x): value for y, row in enumerate(rows) for x, value in enumerate(row)}
    there: set[tuple[int, int]] = set()
    places: list[Place] = []
    for (y, x), value in cells.items():
        for beside in ((y, x + 1), (y + 1, x)):
            place = pairs.get((value, cells[beside])) if beside in cells else None
            if place is not None:
                there |= {(y, x), beside}
                places.append(place)
    large = {cells[cell] for cell in there if cells[cell] >= _TWO_DIGITS}
    enough = len(cells) >= LEAST_CELLS and len(large) >= LEAST_VALUES
    if enough and len(there) >= SHARE * len(cells) and all(_shares(cells, there)):
        return places, len(there), len(cells)
    return None


def _shares(cells: Mapping[tuple[int, int], float], there: set[tuple[int, int]]) -> Iterator[bool]:
    """Of each column, whether enough of its numbers stand in the code."""
    columns: dict[int, list[bool]] = {}
    for cell in cells:
        columns.setdefault(cell[1], []).append(cell in there)
    for column in columns.values():
        yield sum(column) >= SHARE_OF_COLUMN * len(column)


def _tells(*values: float) -> bool:
    """Whether one of two numbers has two digits: 0 and 1 stand side by side everywhere."""
    return any(value >= _TWO_DIGITS for value in values)
