"""What tables of judges call their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rubric_engine.cli.short_names import in_full, short_names
from rubric_engine.judgeeval.naming import told_apart, without_model

if TYPE_CHECKING:
    from rubric_engine.judgeeval import LeafSet

LEAST, MOST = 12, 40
"""Columns that a row's name may take: at least, and at most."""


def row_names(leaves: LeafSet, room: int) -> Mapping[str, str]:
    """What tables show for each row; judges that need no model stand in parentheses.

    Args:
        leaves: The leaf set.
        room: Columns that the narrowest table leaves for names.
    """
    texts = full_names(leaves)
    short = short_names(texts.values(), max(LEAST, min(room, MOST)))
    return {name: short[text] for name, text in texts.items()}


def names_in_full(leaves: LeafSet, names: Mapping[str, str]) -> Iterator[str]:
    """Which row is which, where its name has no room.

    Args:
        leaves: The leaf set.
        names: What tables show for each row.
    """
    return in_full({text: names[name] for name, text in full_names(leaves).items()})


def full_names(leaves: LeafSet) -> dict[str, str]:
    """What each row is called where there is room; no judge is called as a baseline is."""
    fixed = {row.name: without_model(row.name) for row in leaves.baselines}
    others = [row.name for row in leaves.rows if row.name not in fixed]
    apart = dict(zip(others, told_apart(others, fixed.values()), strict=True))
    return {row.name: (fixed | apart)[row.name] for row in leaves.rows}
