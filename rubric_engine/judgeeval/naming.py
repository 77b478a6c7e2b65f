"""Names that are told apart: two evaluations of one name must not pass for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
    for name in names:
        unique, number = name, 2
        while unique in used:
            unique, number = f"{name} #{number}", number + 1
        used.add(unique)
        apart.append(unique)
    return tuple(apart)
