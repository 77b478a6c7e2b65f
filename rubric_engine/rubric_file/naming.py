"""Keys of criteria: the id, or ``id#n`` where an id repeats."""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.rubric_file.flaws import Flaw, Flaws, Node
from rubric_engine.rubric_file.models import trail

_LISTED = 5


def keys_of(ids: Sequence[str | None]) -> list[str]:
    """Give every criterion its key, from the ids in document order.

    The first criterion with an id keeps it; a later one takes the next ``#n`` that is no id or key
    of the tree. One without a usable id gets an empty key, which no rubric is built from.
    """
    taken = set(ids)
    seen: dict[str, int] = {}
    keys: list[str] = []
    for name in ids:
        if name is None:
            keys.append("")
        elif name not in seen:
            seen[name] = 1
            keys.append(name)
        else:
            number = seen[name] + 1
            while f"{name}#{number}" in taken:
                number += 1
            seen[name] = number
            taken.add(f"{name}#{number}")
            keys.append(f"{name}#{number}")
    return keys


def repeats(ids: Sequence[str | None], keys: Sequence[str]) -> list[str]:
    """Warnings for ids that stand more than once."""
    later = [key for name, key in zip(ids, keys, strict=True) if name is not None and name != key]
    if not later:
        return []
    more = f" and {len(later) - _LISTED} more" if len(later) > _LISTED else ""
    several = "ids repeat" if len(later) > 1 else "id repeats"
    shown = ", ".join(map(repr, later[:_LISTED]))
    return [f"{len(later)} {several}; the later criteria are named {shown}{more}"]


def report_repeats(nodes: Sequence[Node], ids: Sequence[str | None], flaws: Flaws) -> None:
    """Make every id that repeats a flaw that names both places."""
    first: dict[str, Node] = {}
    for node, name in zip(nodes, ids, strict=True):
        if name is None:
            continue
        if name not in first:
            first[name] = node
            continue
        if flaws.full:
            flaws.unkept += 1
            continue
        other = first[name]
        place = flaws.document.place(flaws.mark(other.raw, ("id",)))
        under = f" under {trail(other.above())}" if other.parent else ""
        message = f"duplicate id {name!r}; it stands first at {place}{under}"
        hint = "give one of the two another id"
        flaws.add(Flaw("E203", message, node.raw, ("id",), node=node, hint=hint))
