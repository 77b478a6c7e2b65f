"""Drawing a sample of labelled leaves to measure a judge on. Pure.

Each category of each case gets its share of the sample, so that the leaves drawn are as mixed as
all of them and each weighs the same. Which leaves follows from seed, rubric and key alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    """Draw leaves, each stratum in proportion to its number of leaves.

    Places that are left after whole shares go to the largest remainders; a stratum gets at least
    one where there are places for all.

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
    counts = shares([len(stratum.keys) for stratum in ordered], size)
    chosen: dict[str, set[str]] = {stratum.case: set() for stratum in strata}
    for stratum, count in zip(ordered, counts, strict=True):
        chosen[stratum.case].update(_shuffled(stratum, seed)[:count])
    return {case: frozenset(keys) for case, keys in chosen.items()}


def shares(sizes: Sequence[int], places: int) -> list[int]:
    """Places of each stratum by largest remainder, at least one where that is possible."""
    total = sum(sizes)
    if places >= total:
        return list(sizes)
    filled = [index for index, size in enumerate(sizes) if size]
    least = int(places >= len(filled))
    given = [max(min(least, size), size * places // total) for size in sizes]
    rests = sorted(filled, key=lambda i: (-(sizes[i] * places % total), i))
    for index in rests * 2:
        if sum(given) < places and given[index] < sizes[index]:
            given[index] += 1
    # Strata that were lifted to one leaf take it from where most were drawn.
    while sum(given) > places:
        given[max(filled, key=lambda i: (given[i], -i))] -= 1
    return given


def _shuffled(stratum: Stratum, seed: int) -> list[str]:
    def place(key: str) -> bytes:
        parts = [seed, stratum.rubric_sha256, stratum.case, key]
        return hashlib.sha256(json.dumps(parts).encode()).digest()

    return sorted(stratum.keys, key=place)
