"""What asking a judge several times can gain."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.errors import UsageError


def majority_error(samples: int, error: float, correlation: float) -> float:
    """How often the majority of an odd number of samples is wrong.

    A leaf's chance to be judged wrongly is drawn from a Beta distribution, so the number of wrong
    samples is beta-binomial: samples of one judge are far from independent.

    Args:
        samples: How many, odd.
        error: Mean chance of a wrong verdict, above 0 and below 1.
        correlation: How far errors on a leaf repeat, 0 (never more than by chance) up to, but
            not including, 1.

    Raises:
        UsageError: An argument is out of range.
    """
    from scipy.stats import betabinom, binom

    if samples < 1 or samples % 2 == 0 or not 0 < error < 1 or not 0 <= correlation < 1:
        raise UsageError(f"no majority of {samples}, error {error}, correlation {correlation}")
    if not correlation:
        return float(binom.sf(samples // 2, samples, error))
    size = (1 - correlation) / correlation
    return float(betabinom.sf(samples // 2, samples, error * size, (1 - error) * size))


@dataclass(frozen=True, slots=True)
class Lead:
    """What stopping as soon as one verdict leads comes to.

    Attributes:
        right: Chance that the leader is right.
        calls: Mean number of samples.
    """

    right: float
    calls: float


def lead_by(lead: int, right: float) -> Lead:
    """Ask again until one verdict leads by so many (Wald's sequential test, 1945).

    Args:
        lead: How far.
        right: Chance that one sample is right, above 1/2 and below 1.

    Raises:
        UsageError: An argument is out of range.
    """
    if lead < 1 or not 0.5 < right < 1:
        raise UsageError(f"no lead of {lead} with samples right at {right}")
    odds = ((1 - right) / right) ** lead
    return Lead(1 / (1 + odds), lead / (2 * right - 1) * (1 - odds) / (1 + odds))
