"""Which root scores of an evaluation can be known, and why the others cannot."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.root import Root, roots_of

SAMPLED = "only a sample of the leaves was judged, so root scores are unknown"
AGGREGATED = "rubrics whose groups aggregate otherwise than by weighted mean need their tree"
UNCOVERED = "labels cover only part of the rubric"


@dataclass(frozen=True, slots=True)
class KnownRoots:
    """The root scores of a row.

    Attributes:
        roots: One for each case whose root score is known.
        unknown: Reasons by name of the other cases; means over cases go without these.
        why: Why there is no mean over cases at all; None where there is one.
    """

    roots: tuple[Root, ...]
    unknown: Mapping[str, str]
    why: str | None = None


def known_roots(evaluation: Evaluation, pairs: Pairs | None = None) -> KnownRoots:
    """The judge's root scores: by the rubric's own aggregates, else by worth.

    A case that broke may have kept none; without it the mean error would look better.

    Args:
        evaluation: The evaluation.
        pairs: Its pairs, where they are at hand.
    """
    by_worth = {root.submission: root for root in roots_of(pairs or evaluation.pairs)}
    kept = {root.submission: root for root in evaluation.roots or ()}
    return _known(evaluation, by_worth | kept, by_worth.keys() - kept.keys())


def roots_by_worth(evaluation: Evaluation, said: Pairs) -> KnownRoots:
    """Root scores of another judge, such as a baseline, on an evaluation's cases.

    They are sums of worth, so none is known where a rubric aggregates otherwise.

    Args:
        evaluation: Any judge's evaluation; only its cases matter.
        said: The other judge's pairs, on all labelled leaves.
    """
    found = {root.submission: root for root in roots_of(said)}
    return _known(evaluation, found, found.keys())


def _known(evaluation: Evaluation, roots: Mapping[str, Root], by_worth: Set[str]) -> KnownRoots:
    """What is known of roots, some of which are sums of worth."""
    covered = [case for case in evaluation.cases if case.labelled >= case.leaves]
    if evaluation.sample is not None:
        return _none(evaluation, SAMPLED)
    if any(case.name in by_worth and not case.weighted_mean for case in covered):
        return _none(evaluation, AGGREGATED)
    names = {case.name for case in covered}
    unknown = {case.name: UNCOVERED for case in evaluation.cases if case.name not in names}
    known = tuple(root for name, root in roots.items() if name in names)
    return KnownRoots(known, unknown, UNCOVERED if unknown and not known else None)


def _none(evaluation: Evaluation, why: str) -> KnownRoots:
    return KnownRoots((), {case.name: why for case in evaluation.cases}, why)
