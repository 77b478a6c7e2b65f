"""Correcting a score by error rates that were measured elsewhere: only where they carry over.

They seldom do: a judge that calls a fifth of all unmet leaves met cannot give a weak submission
less than 0.2. So this stands behind `transport=True`, and refuses with a reason where the figures
themselves say that the rates do not carry over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.audit.error_rates import Rates, between
from rubric_engine.judgeeval.intervals import LEVEL, z_quantile
from rubric_engine.judgeeval.pairs import Bools, Pairs

LEAST_J = 0.2
"""Youden's J below which a judge tells too little apart to be corrected."""

FEWEST = 20
"""Labels of either class below which error rates are not known well enough."""


@dataclass(frozen=True, slots=True)
class Transported:
    """A score corrected by rates from elsewhere, or the reasons why not.

    Attributes:
        judged: The judge's own score.
        raw: The correction as the formula gives it, also where it is refused; None where a rate
            is not known at all.
        value: The corrected score; None where it is refused.
        low: Lower end of its interval.
        high: Upper end.
        error: Its standard error.
        refused: Why it is refused, one line each.
    """

    judged: float
    raw: float | None
    value: float | None
    low: float | None
    high: float | None
    error: float | None
    refused: tuple[str, ...]


def rogan_gladen(rate: float, sensitivity: float, specificity: float) -> float:
    """The share that is met, from the share that a judge of known rates calls met.

    Rogan and Gladen (American Journal of Epidemiology 107, 1978); not cut to 0 and 1.

    Raises:
        UsageError: The judge tells nothing apart: sensitivity and specificity sum to 1 or less.
    """
    j = sensitivity + specificity - 1
    if j <= 0:
        raise UsageError(f"Youden's J is {j:.3f}: a judge that tells nothing apart is no measure")
    return (rate + specificity - 1) / j


def transported(
    target: Pairs, rates: Mapping[str, Rates], *, transport: bool = False, level: float = LEVEL
) -> Transported:
    """Correct a submission's score by error rates measured on others.

    Valid only if the judge errs at the same rates here, category by category, and no more on
    heavy leaves than on light ones. Rates are of met and not met: partial credit is refused, and
    so are rates that leave out leaves without a grade.

    Args:
        target: The submission's leaves; labels are not read.
        rates: By category, from `rates_of` on other submissions.
        transport: Set it to say that you accept that premise.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: `transport` is not set, or leaves have no grade.
    """
    if not transport:
        raise UsageError(
            "error rates from other submissions seldom carry over to this one",
            code="E006",
            fix=["audit the submission itself", "or pass transport=True to accept the premise"],
        )
    if not target.graded.all():
        raise UsageError("every leaf needs a grade before its score can be corrected")
    parts = [
        _part(target, target.category_codes == code, rates.get(name), name)
        for code, name in enumerate(target.categories)
    ]
    return _joined(target, parts, level)


@dataclass(frozen=True, slots=True)
class _Part:
    """One category: its corrected worth with variance, and what speaks against it."""

    worth: float
    variance: float
    refused: tuple[str, ...]


def _part(target: Pairs, here: Bools, rates: Rates | None, name: str) -> _Part:
    worth = target.worth[here]
    total = math.fsum(worth)
    if not total:
        return _Part(0.0, 0.0, ())
    if rates is None or rates.j <= 0:
        known = "no rates are known" if rates is None else f"Youden's J is {rates.j:.3f}"
        return _Part(math.nan, math.nan, (f"{name}: {known}",))
    partly = int((between(target.grade[here]) & (worth > 0)).sum())
    if partly:
        why = f"{name}: grades with partial credit, where rates are of met and not met: {partly}"
        return _Part(math.nan, math.nan, (why,))
    rate = math.fsum(worth * target.said[here]) / total
    share = rogan_gladen(rate, rates.sensitivity, rates.specificity)
    squares = math.fsum(worth**2) / total**2
    variance = (total / rates.j) ** 2 * _variance(min(max(share, 0.0), 1.0), squares, rates)
    return _Part(total * share, variance, tuple(_against(name, rate, rates)))


def _variance(share: float, squares: float, rates: Rates) -> float:
    hit = rates.sensitivity * (1 - rates.sensitivity)
    spared = rates.specificity * (1 - rates.specificity)
    noise = squares * (share * hit + (1 - share) * spared)
    return noise + share**2 * hit / rates.met + (1 - share) ** 2 * spared / rates.not_met


def _against(name: str, rate: float, rates: Rates) -> list[str]:
    reasons = [*_unknown(name, rates)]
    if rates.j < LEAST_J:
        reasons.append(f"{name}: Youden's J is {rates.j:.3f}, below {LEAST_J}")
    if not 1 - rates.specificity <= rate <= rates.sensitivity:
        reasons.append(
            f"{name}: the judge calls {rate:.3f} met, outside the {1 - rates.specificity:.3f} to "
            f"{rates.sensitivity:.3f} that these rates allow: they do not carry over"
        )
    return reasons


def _unknown(name: str, rates: Rates) -> Iterator[str]:
    """What the rates do not know, or not well enough."""
    if rates.ungraded:
        yield f"{name}: labelled leaves without a grade, which rates leave out: {rates.ungraded}"
    if rates.partial:
        yield (
            f"{name}: leaves with partial credit, neither met nor not met, behind the rates: "
            f"{rates.partial}"
        )
    if min(rates.met, rates.not_met) < FEWEST:
        yield (
            f"{name}: rates rest on {rates.met} labels met and {rates.not_met} not met, fewer "
            f"than {FEWEST}"
        )


def _joined(target: Pairs, parts: list[_Part], level: float) -> Transported:
    judged = math.fsum(target.worth * target.grade)
    refused = tuple(reason for part in parts for reason in part.refused)
    raw = math.fsum(part.worth for part in parts)
    if math.isnan(raw) or refused:
        known = None if math.isnan(raw) else raw
        return Transported(judged, known, None, None, None, None, refused)
    error = math.sqrt(math.fsum(part.variance for part in parts))
    half = z_quantile(level) * error
    return Transported(judged, raw, raw, raw - half, raw + half, error, ())


def lee_interval(
    rate: float, rates: Rates, n: float, *, level: float = LEVEL
) -> tuple[float, float]:
    """Interval for the share that is met among new leaves, rates being estimates themselves.

    The adjusted interval of arXiv 2511.21140: pseudo-counts on all three shares, and a shift.

    Args:
        rate: Share that the judge calls met.
        rates: Its error rates.
        n: Leaves behind `rate`; where they weigh unequally, ``1 / sum(w ** 2)``.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: The judge tells nothing apart.
    """
    z = z_quantile(level)
    p = (n * rate + z * z / 2) / (n + z * z)
    hit = (rates.met * rates.sensitivity + 1) / (rates.met + 2)
    spared = (rates.not_met * rates.specificity + 1) / (rates.not_met + 2)
    share, j = rogan_gladen(p, hit, spared), hit + spared - 1
    from_met = hit * (1 - hit) / (rates.met + 2)
    from_other = spared * (1 - spared) / (rates.not_met + 2)
    shift = 2 * z * z * ((share * from_met) - (1 - share) * from_other)
    spread = p * (1 - p) / (n + z * z) + share**2 * from_met + (1 - share) ** 2 * from_other
    half = z * float(np.sqrt(spread)) / j
    return max(share + shift - half, 0.0), min(share + shift + half, 1.0)
