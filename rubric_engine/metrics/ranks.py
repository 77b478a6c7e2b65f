"""Whether a metric is true, false or undefined, exactly.

As the scores of a category's open leaves rise, it passes one level after another: every `>=` that
the metrics ask of it by size, then "every leaf met". How many it passes is its rank. What is known
of a category is its least and its highest rank, and every rank between them can still come about,
for a score may be any number from 0 to 1. A metric is undefined where some of the ranks make it
true and others false.

Kleene's three-valued logic alone would leave ``D or not D`` undefined where D is. Where a category
counts only as it is, or only under `not`, its two ends decide; where it counts as both, every rank
is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import inf

from rubric_engine.formulas.formula import And, Formula, Named, Not, Or, Passes
from rubric_engine.formulas.metrics import Metrics
from rubric_engine.metrics.standing import Standing

Ranks = Mapping[str, tuple[int, int]]
"""Least and highest rank by category."""

Levels = Mapping[str, tuple[float | None, ...]]
"""What a metric asks of each category, the least first."""


def decide(metrics: Metrics, name: str, standings: Mapping[str, Standing]) -> bool | None:
    """Decide a metric.

    Args:
        metrics: The metrics of the rubric.
        name: The one.
        standings: How the categories stand; one without a leaf that counts is left out, and may
            pass or not.

    Returns:
        True or False where every way to complete the grades gives that; else None.
    """
    signs = metrics.signs(name)
    levels = levels_of(signs)
    ranks = ranks_of(levels, standings)
    known = truths(metrics, name, levels, ranks)[name]
    if known is not None:
        return known
    found: set[bool | None] = set()
    for best in (True, False):
        for way in _ways(signs, ranks, best=best):
            found.add(truths(metrics, name, levels, way)[name])
            if len(found) > 1:
                return None
    return found.pop()


def levels_of(atoms: Iterable[Passes]) -> Levels:
    """The levels of each category, the least first, "every leaf met" last."""
    levels: dict[str, set[float | None]] = {}
    for atom in atoms:
        levels.setdefault(atom.category, set()).add(atom.at_least)
    return {
        name: tuple(sorted(own, key=lambda level: inf if level is None else level))
        for name, own in levels.items()
    }


def ranks_of(levels: Levels, standings: Mapping[str, Standing]) -> Ranks:
    """The least and the highest rank of each category."""
    ranks: dict[str, tuple[int, int]] = {}
    for name, own in levels.items():
        found = standings.get(name)
        ranks[name] = (0, len(own))
        if found is not None:
            ranks[name] = sum(map(found.certain, own)), sum(map(found.possible, own))
    return ranks


def truths(metrics: Metrics, name: str, levels: Levels, ranks: Ranks) -> dict[str, bool | None]:
    """Value of a metric, and of those that it names, by Kleene's logic."""
    known: dict[str, bool | None] = {}
    for one in metrics.within(name):
        known[one] = truth(metrics.formulas[one], known, levels, ranks)
    return known


def truth(
    formula: Formula, known: Mapping[str, bool | None], levels: Levels, ranks: Ranks
) -> bool | None:
    """Value of a formula by Kleene's logic; None where it is undefined."""
    match formula:
        case Named(name):
            return known[name]
        case Passes(category, at_least):
            at = levels[category].index(at_least)
            low, high = ranks[category]
            return True if low > at else False if high <= at else None
        case Not(part):
            inside = truth(part, known, levels, ranks)
            return None if inside is None else not inside
        case And(parts) | Or(parts):
            ends = isinstance(formula, Or)
            found = {truth(part, known, levels, ranks) for part in parts}
            return ends if ends in found else None if None in found else not ends


def _ways(signs: Mapping[Passes, set[bool]], ranks: Ranks, *, best: bool) -> Iterator[Ranks]:
    """Ranks of all categories to try, to see the metric true (`best`) or false."""
    own: dict[str, set[bool]] = {}
    for atom, sign in signs.items():
        own.setdefault(atom.category, set()).update(sign)
    tried = [
        range(low, high + 1) if len(own[name]) == 2 else (high if best in own[name] else low,)
        for name, (low, high) in ranks.items()
    ]
    for way in product(*tried):
        yield {name: (rank, rank) for name, rank in zip(ranks, way, strict=True)}
