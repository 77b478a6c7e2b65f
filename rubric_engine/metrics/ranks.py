"""Whether a metric is true, false or undefined, exactly.

As the scores of a category's open leaves rise, it passes one level after another: every `>=` that
the metrics ask of it by size, then "every leaf met". How many it passes is its rank. What is known
of a category is its least and its highest rank, and every rank between them can still come about,
for a score may be any number from 0 to 1. A metric is undefined where some of the ranks make it
true and others false.

Kleene's three-valued logic alone would leave ``D or not D`` undefined where D is. Where every
category counts only as it is, or only under `not`, it is exact; those that count as both are tried
at every rank, with Kleene's logic for the others.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from rubric_engine.formulas.formula import And, Formula, Named, Not, Or, Passes
from rubric_engine.formulas.metrics import Metrics
from rubric_engine.metrics.standing import Standing

Levels = Mapping[str, Sequence[float | None]]
"""What is asked of each category, the least first, "every leaf met" last."""

Passing = Mapping[Passes, bool | None]
"""Whether what is asked of a category holds; None where that is open."""


def decide(metrics: Metrics, standings: Mapping[str, Standing]) -> dict[str, bool | None]:
    """Decide the metrics of a rubric.

    Args:
        metrics: The metrics.
        standings: How the categories stand; one without a leaf that counts is left out, and may
            pass or not.

    Returns:
        For each, in the order of the header, True or False where every way to complete the grades
        gives that; else None.
    """
    passing = passing_of(metrics, standings)
    known = truths(metrics, metrics.formulas, passing)
    values = {name: known[name] for name in metrics}
    undefined = {name: metrics.signs.mixed(name) for name in metrics if values[name] is None}
    for levels, names in _together({name: own for name, own in undefined.items() if own}):
        # What is set for one way is a layer above what is known.
        ways = (ChainMap(way, passing) for way in _ways(levels, standings))
        values |= _tried(metrics, names, known, ways)
    return values


def passing_of(metrics: Metrics, standings: Mapping[str, Standing]) -> dict[Passes, bool | None]:
    """Whether what the metrics ask of categories holds, as far as that is known."""
    return {atom: _passes(atom, standings.get(atom.category)) for atom in metrics.signs.asked}


def _passes(atom: Passes, found: Standing | None) -> bool | None:
    if found is None:
        return None
    certain = found.certain(atom.at_least)
    return certain if certain or not found.possible(atom.at_least) else None


def truths(
    metrics: Metrics,
    names: Iterable[str],
    passing: Passing,
    known: Mapping[str, bool | None] | None = None,
) -> dict[str, bool | None]:
    """Values by Kleene's logic.

    Args:
        metrics: The metrics.
        names: Those to decide, each after those that it names.
        passing: What holds of the categories.
        known: What others are, and what was true or false when less was known.
    """
    found = dict(known or {})
    for name in names:
        if found.get(name) is None:
            found[name] = truth(metrics.formulas[name], found, passing)
    return found


def truth(formula: Formula, known: Mapping[str, bool | None], passing: Passing) -> bool | None:
    """Value of a formula by Kleene's logic; None where it is undefined."""
    match formula:
        case Named(name):
            return known[name]
        case Passes():
            return passing[formula]
        case Not(part):
            inside = truth(part, known, passing)
            return None if inside is None else not inside
        case And(parts) | Or(parts):
            ends = isinstance(formula, Or)
            found = {truth(part, known, passing) for part in parts}
            return ends if ends in found else None if None in found else not ends


def _together(mixed: Mapping[str, Levels]) -> list[tuple[Levels, list[str]]]:
    """Metrics that are tried in one go, each with levels among which all of its own are.

    Levels that a metric does not ask for split its ways, and change nothing of what they give.
    """
    groups: list[tuple[Levels, list[str]]] = []
    for name in sorted(mixed, key=lambda name: -_count(mixed[name])):
        fits = (names for levels, names in groups if _covers(levels, mixed[name]))
        names = next(fits, None)
        if names is None:
            names = []
            groups.append((mixed[name], names))
        names.append(name)
    return groups


def _count(levels: Levels) -> int:
    return prod(len(own) + 1 for own in levels.values())


def _covers(levels: Levels, others: Levels) -> bool:
    return all(set(own) <= set(levels.get(name, ())) for name, own in others.items())


def _ways(levels: Levels, standings: Mapping[str, Standing]) -> Iterator[dict[Passes, bool | None]]:
    """What holds of these categories, in every way that can still come about."""
    ranks = [list(_ranks(name, own, standings.get(name))) for name, own in levels.items()]
    for way in product(*ranks):
        yield {atom: holds for one in way for atom, holds in one.items()}


def _ranks(
    category: str, levels: Sequence[float | None], found: Standing | None
) -> Iterator[dict[Passes, bool]]:
    low = sum(map(found.certain, levels)) if found else 0
    high = sum(map(found.possible, levels)) if found else len(levels)
    for rank in range(low, high + 1):
        yield {Passes(category, level): rank > at for at, level in enumerate(levels)}


def _tried(
    metrics: Metrics,
    names: Sequence[str],
    known: Mapping[str, bool | None],
    ways: Iterable[Passing],
) -> dict[str, bool | None]:
    """The value of each metric that all ways give it; None where they give none, or several."""
    needed, left = metrics.within(names), list(names)
    found: dict[str, set[bool | None]] = {name: set() for name in names}
    for way in ways:
        values = truths(metrics, needed, way, known)
        for name in left:
            found[name].add(values[name])
        left = [name for name in left if found[name] in ({True}, {False})]
        if not left:
            break
    return {name: own.pop() if len(own) == 1 else None for name, own in found.items()}
