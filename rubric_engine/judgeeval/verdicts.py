"""A comparison in words: who is better, where, and what is not shown."""

from __future__ import annotations

from rubric_engine.judgeeval.comparing import Comparison
from rubric_engine.judgeeval.intervals import Interval
from rubric_engine.judgeeval.naming import quoted


def verdict(comparison: Comparison) -> str:
    """Say in one or two sentences what a comparison shows by macro F1.

    Args:
        comparison: What `compare` or `compare_all` found.

    Returns:
        Plain text; "no clear difference" wherever none is shown.
    """
    return " ".join(filter(None, (_here(comparison), _anew(comparison), _holes(comparison))))


def _here(comparison: Comparison) -> str:
    found = comparison.differences["f1"]
    if found.value is None:
        return "Nothing is labelled, so nothing is compared."
    ahead, behind = _order(comparison, found.value)
    gap = _gap("macro F1", found.value, found.here)
    if comparison.shown_here:
        return f"{ahead} is better than {behind} on these submissions ({gap})."
    but = _but(found.here, found.here_p, comparison.adjusted_p)
    return f"No clear difference between {ahead} and {behind} on these submissions ({gap}{but})."


def _anew(comparison: Comparison) -> str:
    found = comparison.differences["f1"]
    if found.mean is None:
        return ""
    if found.anew.low is None:
        return f"Nothing is shown for new submissions: {found.anew.why}."
    ahead, behind = _order(comparison, found.mean)
    gap = _gap("mean over submissions", found.mean, found.anew)
    if comparison.shown_anew:
        return f"{ahead} should be better than {behind} on new submissions, too ({gap})."
    but = _but(found.anew, found.anew_p, comparison.adjusted_anew_p)
    return (
        f"No clear difference between {ahead} and {behind} is to be expected on new submissions"
        f" ({gap}{but})."
    )


def _holes(comparison: Comparison) -> str:
    if not any(comparison.ungraded):
        return ""
    first, second = comparison.ungraded
    return (
        f"{quoted(comparison.first)} left {first} and {quoted(comparison.second)} left {second} of "
        f"{comparison.leaves} leaves without a grade; these count as wrong."
    )


def _order(comparison: Comparison, gap: float) -> tuple[str, str]:
    """Who is ahead, and who behind."""
    names = (quoted(comparison.first), quoted(comparison.second))
    return names if gap >= 0 else (names[1], names[0])


def _gap(what: str, value: float, interval: Interval) -> str:
    """How far who is ahead is ahead, with the interval of that."""
    if interval.low is None or interval.high is None:
        return f"{what} {abs(value):+.3f}, no interval"
    ends = (interval.low, interval.high) if value >= 0 else (-interval.high, -interval.low)
    return f"{what} {abs(value):+.3f} [{ends[0]:+.3f}, {ends[1]:+.3f}]"


def _but(interval: Interval, p: float | None, adjusted: float | None) -> str:
    """Why an interval that leaves out 0 shows nothing all the same."""
    if not interval.excludes(0.0) or p is None or adjusted is None:
        return ""
    how = " after Holm's adjustment for all comparisons" if adjusted > p else ""
    return f", but p {adjusted:.3f}{how}"
