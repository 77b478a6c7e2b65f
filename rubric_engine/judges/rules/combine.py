"""From the results of a leaf's checks to its grade.

A check without a score may turn out either way. So a combination has a value only where both ways
give the same: a failed check decides `all`, a met one decides `any`, whatever else is unknown. A
wrong rubric is the exception: it is never the submission's zero, nor its success.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.criterion import Criterion, ScaleStep
from rubric_engine.grading import NOBODY_TRIED, CheckResult, Citation, Grade, Reason
from rubric_engine.judges.rules.outcome import MAX_CITATIONS, count, short
from rubric_engine.scoring import aggregator

MAX_EXPLANATION = 2000
"""Characters of the explanation of a grade."""

DEFAULT = "min"
"""How checks combine where the leaf does not say: `all`, and the least of them for fractions."""


def grade_of(leaf: Criterion, results: Sequence[CheckResult]) -> Grade:
    """Combine the results of the checks of a leaf into its grade."""
    words = explain(results)
    score = combined(results, leaf.aggregate or DEFAULT, leaf.scale)
    if score is None:
        return Grade.ungradeable(unknown_reason(results), words, checks=tuple(results))
    return Grade.graded(score, words, _citations(results, score), checks=tuple(results))


def combined(
    results: Sequence[CheckResult], aggregate: str, scale: Sequence[ScaleStep] = ()
) -> float | None:
    """The score of several checks, equally weighted, or None where it is not decided."""
    if any(result.reason == "rubric_error" for result in results):
        return None
    low = [result.score if result.score is not None else 0.0 for result in results]
    high = [result.score if result.score is not None else 1.0 for result in results]
    combine = aggregator(aggregate)
    weights = [1.0] * len(results)
    worst, best = (on_scale(combine(weights, scores), scale) for scores in (low, high))
    return worst if worst == best else None


def on_scale(score: float, scale: Sequence[ScaleStep]) -> float:
    """The highest step that a score reaches; the score itself where there is no scale."""
    if not scale:
        return score
    # A mean of thirds may miss its step by the last bit.
    reached = [step.score for step in scale if step.score <= score + 1e-12]
    return max(reached, default=0.0)


def unknown_reason(results: Sequence[CheckResult]) -> Reason:
    """Why results are not decided: a wrong rubric first, then failures, then what nobody tried."""
    reasons = [result.reason for result in results if result.reason is not None]
    if "rubric_error" in reasons:
        return "rubric_error"
    failures = [reason for reason in reasons if reason not in NOBODY_TRIED]
    return (failures or reasons)[0]


def explain(results: Sequence[CheckResult]) -> str:
    """Say how many checks hold, and of each what it looked for and what it found."""
    met = sum(result.score == 1.0 for result in results)
    head = f"{met} of {count(len(results), 'check')} {'holds' if len(results) == 1 else 'hold'}."
    lines = (f"{_mark(each)} {each.check}: {each.looked_for} -> {each.found}" for each in results)
    return short("\n".join([head, *lines]), MAX_EXPLANATION)


def _mark(result: CheckResult) -> str:
    if result.score is None:
        return f"[{result.reason}]"
    return {0.0: "[no]", 1.0: "[yes]"}.get(result.score, f"[{result.score:.3g}]")


def _citations(results: Sequence[CheckResult], score: float) -> list[Citation]:
    """The first places of those checks that speak for the grade, then of the others."""
    ordered = sorted(results, key=lambda each: (each.score == 1.0) != (score > 0))
    return [cited for each in ordered for cited in each.citations][:MAX_CITATIONS]
