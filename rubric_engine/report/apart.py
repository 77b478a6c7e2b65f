"""Names that stay different where what made them so is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count


def told_apart(names: Sequence[str]) -> list[str]:
    """Names of which several may look alike once they are masked, numbered where they do.

    The first of a name keeps it, and no number makes a name that another one has.
    """
    taken, seen = set(names), set[str]()
    numbers: dict[str, Iterator[int]] = {}
    told = []
    for name in names:
        own = name
        if name in seen:
            # Goes on where the last number was found: alike names take linear time.
            counter = numbers.setdefault(name, count(2))
            own = next(one for number in counter if (one := f"{name}#{number}") not in taken)
            taken.add(own)
        seen.add(own)
        told.append(own)
    return told
