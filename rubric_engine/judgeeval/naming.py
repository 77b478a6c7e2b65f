"""Names that are told apart: two evaluations of one name must not pass for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count


def quoted(name: str) -> str:
    """A name for the middle of a sentence: in quotes where it could pass for several words."""
    return f"'{name}'" if set(",;") & set(name) or name != name.strip() or not name else name


def without_model(name: str) -> str:
    """What a row that needs no model is called, in tables and charts alike."""
    return f"({name})"


def told_apart(names: Sequence[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Number the names that stand twice: `a`, `a #2`, `a #3`.

    Args:
        names: In the order in which they appear.
        taken: Names that none of them may have.
    """
    used, apart = set(taken), []
    numbers: dict[str, Iterator[int]] = {}
    for name in names:
        unique = name
        if name in used:
            # Goes on where the last number was found: alike names take linear time.
            counter = numbers.setdefault(name, count(2))
            unique = next(one for number in counter if (one := f"{name} #{number}") not in used)
        used.add(unique)
        apart.append(unique)
    return tuple(apart)
