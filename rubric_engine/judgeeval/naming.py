"""Names that are told apart: two evaluations of one name must not pass for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def told_apart(names: Sequence[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Number the names that stand twice: `a`, `a #2`, `a #3`.

    Args:
        names: In the order in which they appear.
        taken: Names that none of them may have.
    """
    used, apart = set(taken), []
    for name in names:
        unique, number = name, 2
        while unique in used:
            unique, number = f"{name} #{number}", number + 1
        used.add(unique)
        apart.append(unique)
    return tuple(apart)
