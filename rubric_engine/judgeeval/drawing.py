"""Drawing a sample of labelled leaves to measure a judge on. Pure.

The leaves of all strata (a category of a case each) stand in one row, shuffled within their
stratum, and every N/n-th is taken from a random start on. So each leaf has the same chance n/N,
each stratum gets its share rounded up or down, and figures of the sample are those of the whole
but for luck (systematic sampling: Cochran, Sampling Techniques, 1977, chapter 8). Which leaves it
is follows from seed, rubrics, cases and keys alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rubric_engine.errors import UsageError


@dataclass(frozen=True)
class Stratum:
    """Leaves of one category of one case.

    Attributes:
        case: Name of the case.
        rubric_sha256: Hash of its rubric.
        keys: Keys of the leaves.
    """

    case: str
    rubric_sha256: str
    keys: tuple[str, ...]


def drawn(strata: Sequence[Stratum], size: int, *, seed: int) -> Mapping[str, frozenset[str]]:
    """Draw leaves, each with the same chance.

    Args:
        strata: Where to draw from.
        size: How many; all where there are not so many.
        seed: The same seed draws the same leaves.

    Returns:
        Keys by name of the case.

    Raises:
        UsageError: `size` is less than 1.
    """
    if size < 1:
        raise UsageError(f"a sample has 1 leaf or more, not {size}")
    ordered = sorted(strata, key=lambda stratum: (stratum.case, sorted(stratum.keys)))
    row = [(stratum.case, key) for stratum in ordered for key in _shuffled(stratum, seed)]
    chosen: dict[str, set[str]] = {stratum.case: set() for stratum in strata}
    for place in _places(len(row), min(size, len(row)), _toss([seed, *row])):
        case, key = row[place]
        chosen[case].add(key)
    return {case: frozenset(keys) for case, keys in chosen.items()}


def _places(total: int, size: int, start: bytes) -> list[int]:
    """Places in a row of `total`, `total / size` apart, exact in fractions."""
    if not size:
        return []
    step = Fraction(total, size)
    first = Fraction(int.from_bytes(start, "big"), 256 ** len(start)) * step
    return [int(first + number * step) for number in range(size)]


def _shuffled(stratum: Stratum, seed: int) -> list[str]:
    named = [seed, stratum.rubric_sha256, stratum.case]
    return sorted(stratum.keys, key=lambda key: _toss([*named, key]))


def _toss(parts: Sequence[object]) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()
