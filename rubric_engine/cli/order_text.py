"""Many judges in one order, and which of them are better than which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rubric_engine.cli.output import fill, room_beside, table
from rubric_engine.cli.short_names import in_full, short_names

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import Comparison

EXPLAINED = (
    "against: the judges below, from the next one on. +: better on these",
    "submissions; *: on new ones, too; n: on new ones only; .: no clear difference.",
)

LEAST = 12
"""Columns that names keep, however many judges there are."""


def order_of(scores: Mapping[str, float | None]) -> list[str]:
    """Judges, best macro F1 first."""
    return sorted(scores, key=lambda name: -1.0 if (f1 := scores[name]) is None else f1)[::-1]


def neighbours(
    compared: Sequence[Comparison], scores: Mapping[str, float | None]
) -> list[Comparison]:
    """Of all comparisons, those of each judge with the next one."""
    known = {frozenset((one.first, one.second)): one for one in compared}
    order = order_of(scores)
    return [known[frozenset(pair)] for pair in pairwise(order)]


def order_table(
    compared: Sequence[Comparison], scores: Mapping[str, float | None]
) -> Iterator[str | Table]:
    """Judges in order, each with a sign for every judge below it.

    Args:
        compared: Every judge with every other.
        scores: Macro F1 by name of the judge.
    """
    order = order_of(scores)
    signs = {pair: sign for one in compared for pair, sign in _signs(one)}
    means = _means(compared)
    rows = [
        [
            name,
            *("-" if one is None else f"{one:.2f}" for one in (scores[name], means[name])),
            "".join(signs[name, below] for below in order[place + 1 :]),
        ]
        for place, name in enumerate(order)
    ]
    heads = ("F1", "mean", "<against")
    blank = fill(table("<judge", *heads), (["", *cells] for _, *cells in rows))
    short = short_names(order, max(LEAST, room_beside(blank)))
    yield fill(table("<judge", *heads), ([short[name], *cells] for name, *cells in rows))
    yield from EXPLAINED
    yield from in_full(short)


def _signs(one: Comparison) -> Iterator[tuple[tuple[str, str], str]]:
    """What is shown of each of two judges against the other."""
    found = one.differences["f1"]
    here = (found.value or 0.0) if one.shown_here else 0.0
    anew = (found.mean or 0.0) if one.shown_anew else 0.0
    for pair, side in (((one.first, one.second), 1), ((one.second, one.first), -1)):
        yield (
            pair,
            {(True, True): "*", (True, False): "+", (False, True): "n"}.get(
                (side * here > 0, side * anew > 0), "."
            ),
        )


def _means(compared: Sequence[Comparison]) -> dict[str, float | None]:
    """Mean over submissions of each judge's macro F1."""
    found: dict[str, float | None] = {}
    for one in compared:
        for name, side in ((one.first, "first"), (one.second, "second")):
            values = [getattr(row, side) for row in one.submissions]
            found[name] = sum(values) / len(values) if values else None
    return found
