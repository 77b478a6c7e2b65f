"""The audited score: what humans would give the whole submission, from few labels.

Leaves are drawn in proportion to worth. Those taken for sure enter as they are. Among the others,
leaves that the judge calls met, those that it calls not met, and those that it could not grade are
three strata: the share that is truly met is estimated in each, with Jeffreys' Beta distribution
for what few labels leave open, and the three are put together as one Beta distribution on what
the score can still be. Its ends never collapse where all labels agree, as those of a normal
interval do. That the finite sample shrinks each stratum's spread by its square root is a rule of
thumb borne out by simulation (`benchmarks/judgeeval`), not a theorem.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rubric_engine.grading import MET_FROM
from rubric_engine.judgeeval.audit.difference import Corrected, difference_estimate
from rubric_engine.judgeeval.audit.sampling import AuditPlan, Key
from rubric_engine.judgeeval.audit.values import Audited, audited
from rubric_engine.judgeeval.intervals import LEVEL
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Bools

FEW = 20
"""Labels below which an audited score comes with a warning."""


@dataclass(frozen=True, slots=True)
class AuditedScore:
    """A submission's score, audited by human labels on a sample of its leaves.

    Attributes:
        judged_low: The judge's own score, every leaf without a grade counting as 0.
        judged_high: The same, every such leaf counting as 1.
        value: The audited score.
        low: Lower end of its interval.
        high: Upper end.
        error: Standard deviation behind the interval.
        labels: Labelled leaves.
        leaves: All leaves.
        certain: Worth of the leaves that were labelled for sure.
        difference: The difference estimator on the same labels, for comparison.
        level: Share of such intervals that should hold the truth.
        warnings: What to know before believing it.
    """

    judged_low: float
    judged_high: float
    value: float
    low: float
    high: float
    error: float
    labels: int
    leaves: int
    certain: float
    difference: Corrected
    level: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stratum:
    """What is known of the leaves with one verdict: means and variances in shares of the score."""

    point: float
    centre: float
    variance: float


def score_audit(
    plan: AuditPlan[Key],
    grades: Mapping[Key, float | None],
    labels: Mapping[Key, float | None],
    *,
    threshold: float = MET_FROM,
    level: float = LEVEL,
) -> AuditedScore:
    """Estimate what humans would give the whole submission.

    Args:
        plan: The draw, made before anybody labelled.
        grades: The judge's scores by leaf; None or left out where it has none.
        labels: The human's scores by leaf, for every leaf drawn.
        threshold: Grade from which on the judge calls a leaf met.
        level: Share of intervals that should hold the truth.

    Raises:
        LabelsError: A drawn leaf has no label.
        UsageError: A score is not between 0 and 1.
    """
    sample = audited(plan, grades, labels)
    return _scored(sample, _verdicts(sample, threshold), level)


def _scored(sample: Audited, verdicts: list[Bools], level: float) -> AuditedScore:
    base, loose = _base(sample)
    strata = [_stratum(sample, loose, which) for which in verdicts]
    mass = math.fsum(sample.worth[~sample.certain])
    centre = base + math.fsum(stratum.centre for stratum in strata)
    variance = math.fsum(stratum.variance for stratum in strata)
    low, high = _ends(base, mass, centre, variance, level)
    judged = math.fsum(sample.worth * np.nan_to_num(sample.grade))
    return AuditedScore(
        judged_low=judged,
        judged_high=judged + math.fsum(sample.worth[np.isnan(sample.grade)]),
        value=base + math.fsum(stratum.point for stratum in strata),
        low=base if not sample.label[loose].any() else low,
        high=base + mass if (sample.label[loose] == 1).all() else high,
        error=math.sqrt(variance),
        labels=len(sample.drawn),
        leaves=len(sample.worth),
        certain=1 - mass,
        difference=difference_estimate(sample, level=level),
        level=level,
        warnings=_warnings(sample, mass),
    )


def _base(sample: Audited) -> tuple[float, Bools]:
    """Score of the leaves taken for sure, and which drawn leaves are of the others."""
    sure = sample.certain[sample.drawn]
    return math.fsum((sample.worth[sample.drawn] * sample.label)[sure]), ~sure


def _verdicts(sample: Audited, threshold: float) -> list[Bools]:
    rest = ~sample.certain & (sample.worth > 0)
    open_ = np.isnan(sample.grade)
    met = np.nan_to_num(sample.grade) >= threshold
    return [rest & ~open_ & met, rest & ~open_ & ~met, rest & open_]


def _stratum(sample: Audited, loose: Bools, which: Bools) -> _Stratum:
    worth = math.fsum(sample.worth[which])
    if not worth:
        return _Stratum(0.0, 0.0, 0.0)
    mine = loose & which[sample.drawn]
    chosen = sample.drawn[mine]
    share, size = _share(sample.worth[chosen] / sample.chance[chosen], sample.label[mine])
    taken = math.fsum(sample.chance[which] * sample.worth[which]) / worth
    unseen = 1 - taken if size else 1.0
    a, b = size * share + 0.5, size * (1 - share) + 0.5
    mean, variance = a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))
    point = share if size else mean
    return _Stratum(
        point=worth * point,
        centre=worth * (point + (mean - point) * math.sqrt(unseen)),
        variance=worth**2 * unseen * variance,
    )


def _share(weights: Array, labels: Array) -> tuple[float, float]:
    """Weighted share of met leaves, and how many labels of equal weight it rests on."""
    if not len(weights):
        return 0.0, 0.0
    total = math.fsum(weights)
    return math.fsum(weights * labels) / total, total**2 / math.fsum(weights**2)


def _ends(
    base: float, mass: float, centre: float, variance: float, level: float
) -> tuple[float, float]:
    """Quantiles of the Beta distribution on [base, base + mass] with this mean and variance."""
    from scipy.stats import beta

    if not mass or not variance:
        return base, base + mass
    mean, spread = (centre - base) / mass, variance / mass**2
    size = mean * (1 - mean) / spread - 1
    if size <= 0:  # wider than any Beta distribution: nothing is known
        return base, base + mass
    ends = beta.ppf([(1 - level) / 2, (1 + level) / 2], mean * size, (1 - mean) * size)
    return base + mass * float(ends[0]), base + mass * float(ends[1])


def _warnings(sample: Audited, mass: float) -> tuple[str, ...]:
    if len(sample.drawn) >= FEW or not mass:
        return ()
    return (
        f"{len(sample.drawn)} labels are few: below {FEW} the interval may hold the truth less "
        "often than it says; 40 or more are advised",
    )
