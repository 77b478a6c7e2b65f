"""A comparison in words: who is better, where, and what is not shown."""

from __future__ import annotations

from rubric_engine.judgeeval.comparing import Comparison
from rubric_engine.judgeeval.intervals import Interval


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
    gap = f"macro F1 {found.value:+.3f}{_range(found.here)}"
    if not comparison.shown_here:
        return f"No clear difference on these submissions ({gap})."
    better, worse = _order(comparison, found.value)
    return f"{better} is better than {worse} on these submissions ({gap})."


def _anew(comparison: Comparison) -> str:
    found = comparison.differences["f1"]
    if found.mean is None:
        return ""
    if found.anew.low is None:
        return f"Nothing is shown for new submissions: {found.anew.why}."
    gap = f"mean over submissions {found.mean:+.3f}{_range(found.anew)}"
    if not comparison.shown_anew:
        return f"No clear difference is to be expected on new submissions ({gap})."
    better, worse = _order(comparison, found.mean)
    return f"{better} should be better than {worse} on new submissions, too ({gap})."


def _holes(comparison: Comparison) -> str:
    if not any(comparison.ungraded):
        return ""
    first, second = comparison.ungraded
    return (
        f"{comparison.first} left {first} and {comparison.second} left {second} of "
        f"{comparison.leaves} leaves without a grade; these count as wrong."
    )


def _order(comparison: Comparison, gap: float) -> tuple[str, str]:
    names = (comparison.first, comparison.second)
    return names if gap > 0 else (names[1], names[0])


def _range(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return ", no interval"
    return f" [{interval.low:+.3f}, {interval.high:+.3f}]"
