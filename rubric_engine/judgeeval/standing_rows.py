"""The rows of judges that need no model, which always stand in a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from rubric_engine.judgeeval.baseline import coin, constant, majority
from rubric_engine.judgeeval.cost import Costs
from rubric_engine.judgeeval.measures import HEADLINE
from rubric_engine.judgeeval.metrics import figures
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.resampling import Draws
from rubric_engine.judgeeval.root import root_errors, roots_of
from rubric_engine.judgeeval.roots_known import roots_by_worth
from rubric_engine.judgeeval.rows import Measured, Row, with_roots
from rubric_engine.judgeeval.slices import Agreement, Slice, coverage, mean_of
from rubric_engine.judgeeval.tables import table
from rubric_engine.judgeeval.uncertainty import Estimates, estimates

BASELINES = ("always met", "always not met", "coin", "category majority")
"""Judges that need no model, and always stand in a table."""

TOSSED = "a coin's root score depends on the toss"

FREE = Costs(known=0.0, unpriced=0, per_submission=0.0, per_leaf=0.0)


def baseline_rows(judge: Measured, draws: Draws) -> tuple[Row, ...]:
    """The rows that always stand in a table.

    Args:
        judge: Any judge; only its labels matter.
        draws: Resamples of the labelled leaves' groups.
    """
    met, not_met = constant(judge.pairs, 1.0), constant(judge.pairs, 0.0)
    usual = majority(judge.pairs)
    return (
        _row(BASELINES[0], _constant(judge, met), estimates(met, draws=draws)),
        _row(BASELINES[1], _constant(judge, not_met), estimates(not_met, draws=draws)),
        _row(BASELINES[2], _coin(judge.pairs), None),
        _row(BASELINES[3], _majority(judge, usual), estimates(usual, draws=draws)),
    )


def _row(name: str, found: Agreement, intervals: Mapping[str, Estimates] | None) -> Row:
    return Row(name, "baseline", replace(found, cost=FREE), intervals)


def _constant(judge: Measured, pairs: Pairs) -> Agreement:
    # Whatever groups make of their leaves, they make 0 of zeros and 1 of ones.
    humans = {root.submission: root.human for root in judge.known.roots}
    roots = tuple(
        replace(root, human=humans[root.submission])
        for root in roots_of(pairs)
        if root.submission in humans
    )
    return with_roots(pairs, replace(judge.known, roots=roots))


def _majority(judge: Measured, pairs: Pairs) -> Agreement:
    return with_roots(pairs, roots_by_worth(judge.evaluation, pairs))


def _coin(pairs: Pairs) -> Agreement:
    submissions = pairs.by(lambda row: row.submission)
    by_submission = {name: _coin_slice(part) for name, part in submissions.items()}
    categories = pairs.by(lambda row: row.category)
    return Agreement(
        pooled=_coin_slice(pairs),
        submissions=MappingProxyType(by_submission),
        means=MappingProxyType({name: mean_of(name, by_submission) for name in HEADLINE}),
        categories=MappingProxyType({name: _coin_slice(own) for name, own in categories.items()}),
        root=replace(root_errors(()), why=TOSSED),
        cost=FREE,
    )


def _coin_slice(pairs: Pairs) -> Slice:
    cover = coverage(constant(pairs, 0.0))
    leaves = figures(coin(table(pairs)), n=None)
    worth = figures(coin(table(pairs, by_worth=True)), n=cover.labelled)
    return Slice(cover, leaves, leaves, leaves, leaves, worth, worth)
