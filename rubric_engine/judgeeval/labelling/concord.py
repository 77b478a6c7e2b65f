"""How far annotators agree with each other. Pure.

Neither annotator is the truth, so every figure here is the same if two of them change places: where
either says one thing only, kappa is None, for it would be 0 whatever the share of agreement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rubric_engine.judgeeval.intervals import LEVEL, Interval
from rubric_engine.judgeeval.labelling.planning import LabelPlan, PlannedLeaf
from rubric_engine.judgeeval.measures import Array, measured
from rubric_engine.judgeeval.pairs import Pair, Pairs
from rubric_engine.judgeeval.repeats import consistency
from rubric_engine.judgeeval.resampling import (
    MOST_UNDEFINED,
    REPLICATES,
    bootstrap_interval,
    drawable,
    resampled,
)
from rubric_engine.judgeeval.tables import cell_of
from rubric_engine.labels import Labels

ONE_VERDICT = "one of them gave one verdict only"
"""Why there is no kappa."""


@dataclass(frozen=True)
class Concord:
    """How far two annotators agree on the leaves of one category, or on all.

    Attributes:
        annotators: The two.
        category: The category; None for all leaves together.
        both: Leaves that both call met or not met.
        cannot_judge: Leaves that both labelled, and at least one could not judge; in no figure.
        agree: Share of `both` on which they agree.
        kappa: Cohen's kappa.
        interval: Its interval, by drawing groups of leaves anew.
        ac1: Gwet's AC1, which bears a rare verdict that pulls kappa down.
        positive: Share of agreement on "met", 2a / (2a + b + c) (Cicchetti and Feinstein 1990).
        negative: The same on "not met".
        why: Reason by name of each figure that is None.
    """

    annotators: tuple[str, str]
    category: str | None
    both: int
    cannot_judge: int
    agree: float | None
    kappa: float | None
    interval: Interval
    ac1: float | None
    positive: float | None
    negative: float | None
    why: Mapping[str, str]


@dataclass(frozen=True)
class Alpha:
    """How far any number of annotators agree, gaps allowed.

    Attributes:
        category: The category; None for all leaves together.
        leaves: Leaves with at least two verdicts, met or not met.
        agree: Share of pairs of verdicts on a leaf that agree.
        alpha: Krippendorff's alpha.
        why: Why it is None.
    """

    category: str | None
    leaves: int
    agree: float | None
    alpha: float | None
    why: str | None


def concords(
    plan: LabelPlan,
    labels: Mapping[str, Labels],
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> tuple[Concord, ...]:
    """Agreement of each two annotators: by category, then over all leaves.

    Labels that were made with a judge's verdict in sight are left out.

    Args:
        plan: The plan; leaves under one parent are one group.
        labels: Labels by annotator.
        seed: The same seed gives the same intervals.
        replicates: Resamples of the bootstrap.
        level: Share of such intervals that should hold the truth.
    """
    values = {name: _values(each) for name, each in labels.items()}
    return tuple(
        row
        for pair in combinations(plan.annotators, 2)
        for row in _rows(plan, pair, (values[pair[0]], values[pair[1]]), seed, replicates, level)
    )


def alphas(plan: LabelPlan, labels: Mapping[str, Labels]) -> tuple[Alpha, ...]:
    """Agreement of all annotators at once: by category, then over all leaves."""
    values = [_values(each) for each in labels.values()]
    return tuple(_alpha(category, leaves, values) for category, leaves in _parts(plan.leaves))


Values = Mapping[str, float | None]


def _values(labels: Labels) -> Values:
    """1 or 0 by leaf; None where the annotator could not judge."""
    return {
        key: None if label.verdict == "cannot_judge" else float(label.verdict == "met")
        for key, label in labels.labels.items()
        if label.blind
    }


def _parts(leaves: Iterable[PlannedLeaf]) -> list[tuple[str | None, list[PlannedLeaf]]]:
    every = list(leaves)
    parts: dict[str, list[PlannedLeaf]] = {}
    for leaf in every:
        parts.setdefault(leaf.category, []).append(leaf)
    return [*parts.items(), (None, every)]


def _rows(
    plan: LabelPlan,
    pair: tuple[str, str],
    values: tuple[Values, Values],
    seed: int,
    replicates: int,
    level: float,
) -> Iterator[Concord]:
    first, second = values
    shared = [leaf for leaf in plan.leaves if leaf.key in first and leaf.key in second]
    pairs = _pairs(shared, first, second)
    parts, by_category = _parts(shared), pairs.by(lambda row: row.category)
    # One draw of groups serves all categories; columns are the four cells of each.
    cells = np.concatenate([_cells(pairs, name) for name, _ in parts], axis=1)
    drawn = resampled(pairs, cells, seed=seed, replicates=replicates).sum(axis=0)
    for place, (name, leaves) in enumerate(parts):
        columns = slice(4 * place, 4 * place + 4)
        own = pairs if name is None else by_category.get(name, pairs.only(lambda row: False))
        table = cells[:, columns].sum(axis=0)
        kappa = _known(_kappa(table))
        over = _kappa(drawn[:, columns])
        interval = _interval(kappa, over, drawable(own), level)
        yield _concord(pair, name, table, kappa, interval, len(leaves) - len(own))


def _interval(kappa: float | None, over: Array, groups: int, level: float) -> Interval:
    """The bootstrap's, with the reason for none in words of annotators: neither is the truth."""
    found = bootstrap_interval(kappa, over, groups, level)
    undefined = float(np.isnan(over).mean())
    if kappa is None or not groups or undefined <= MOST_UNDEFINED:
        return found
    return replace(found, why=f"in {undefined:.0%} of the resamples {ONE_VERDICT}")


def _pairs(leaves: Iterable[PlannedLeaf], first: Values, second: Values) -> Pairs:
    rows = (
        Pair(leaf.key, "", leaf.parent, leaf.category, 0.0, first[leaf.key], second[leaf.key])
        for leaf in leaves
        if first[leaf.key] is not None and second[leaf.key] is not None
    )
    return Pairs.of(rows)


def _cells(pairs: Pairs, category: str | None) -> Array:
    """The four cells of each group, of the leaves of one category or of all."""
    codes = pairs.cluster_codes * 4 + cell_of(pairs)[0]
    wanted = [float(category in (None, row.category)) for row in pairs.rows]
    sums = np.bincount(codes, wanted, minlength=4 * len(pairs.clusters))
    return np.asarray(sums, dtype=np.float64).reshape(-1, 4)


def _kappa(cells: Array) -> Array:
    """Cohen's kappa; NaN where either of the two says one thing only."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    both = (tp + fp > 0) & (tn + fn > 0)
    return np.where(both, measured("kappa", cells), np.nan)


def _concord(
    pair: tuple[str, str],
    category: str | None,
    cells: Array,
    kappa: float | None,
    interval: Interval,
    lost: int,
) -> Concord:
    tp, fp, fn, tn = cells.tolist()
    apart = fp + fn
    figures = {
        "agree": _known(measured("accuracy", cells)),
        "kappa": kappa,
        "ac1": _known(measured("ac1", cells)),
        "positive": 2 * tp / (2 * tp + apart) if tp + apart else None,
        "negative": 2 * tn / (2 * tn + apart) if tn + apart else None,
    }
    both = round(tp + tn + apart)
    why = {name: _reason(name, both) for name, value in figures.items() if value is None}
    return Concord(
        annotators=pair,
        category=category,
        both=both,
        cannot_judge=lost,
        interval=interval,
        why=why,
        **figures,
    )


def _reason(name: str, both: int) -> str:
    if not both:
        return "no leaf that both could judge"
    if name == "kappa":
        return ONE_VERDICT
    return f"neither called a leaf {'met' if name == 'positive' else 'not met'}"


def _alpha(category: str | None, leaves: Sequence[PlannedLeaf], values: Sequence[Values]) -> Alpha:
    found = consistency([[each.get(leaf.key) for each in values] for leaf in leaves])
    why = found.why.get("alpha")
    return Alpha(category, found.leaves, found.agreement, found.alpha, why)


def _known(value: Array) -> float | None:
    number = float(value)
    return None if math.isnan(number) else number
