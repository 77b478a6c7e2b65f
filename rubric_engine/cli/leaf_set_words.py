"""The words around the tables of a leaf set, for a page: those that the terminal prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import (
    categories_in_full,
    category_names,
    figures_table,
    headline_table,
    root_table,
)
from rubric_engine.cli.leaf_set_text import (
    FIGURES,
    MACRO,
    ROOTS,
    closing_lines,
    head_lines,
    reach_lines,
)
from rubric_engine.cli.row_names import full_names
from rubric_engine.cli.short_names import LONGEST, short_names
from rubric_engine.cli.slice_tables import submission_tables

if TYPE_CHECKING:
    from rubric_engine.judgeeval import LeafSet


def leaf_set_words(leaves: LeafSet) -> dict[str, Any]:
    """What stands around the tables of a leaf set.

    Args:
        leaves: The leaf set.

    Returns:
        ``names`` and ``categories`` say what the tables show for each row and category; ``head``,
        ``headline``, ``figures``, ``roots`` and ``notes`` are sentences above the tables, below
        each of them, and below all.
    """
    names, categories, notes = _row_names(leaves), category_names(leaves), Footnotes()
    headline_table(leaves, names, notes)
    figures_table(leaves, names, notes, categories)
    root_table(leaves, names, notes)
    _consume(submission_tables(leaves, names, notes))
    return {
        "names": names,
        "categories": categories,
        "head": list(head_lines(leaves)),
        "headline": [" ".join(MACRO), *reach_lines(leaves)],
        "figures": [*categories_in_full(leaves, categories), " ".join(FIGURES)],
        "roots": [" ".join(ROOTS)],
        "notes": list(closing_lines(leaves, names, notes)),
    }


def _row_names(leaves: LeafSet) -> dict[str, str]:
    texts = full_names(leaves)
    shown = short_names(texts.values(), LONGEST)
    return {name: shown[text] for name, text in texts.items()}


def _consume(made: Iterable[object]) -> None:
    """Make tables for the reasons that their cells give alone."""
    for _ in made:
        pass
