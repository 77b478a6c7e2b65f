"""A score in sentences, the same wherever a person reads them; what is open stands first. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.figures import percent, points, span_of

POLICY: Mapping[str, str] = {
    "zero": "ungraded leaves count as 0 (missing=zero)",
    "renormalise": "ungraded leaves are left out (missing=renormalise)",
}
"""What leaves without a grade count as, by the name of the policy."""


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """What is said of a score.

    Attributes:
        headline: The score, or its range where leaves are open.
        beside: Why it is one figure or none; empty beside a range.
        below: What else is to be known: the value with its policy, and the coverage.
    """

    headline: str
    beside: str = ""
    below: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All that stands with the headline."""
        return (self.beside, *self.below) if self.beside else self.below


def score_words(
    score: Mapping[str, Any],
    *,
    missing: str,
    whole: bool,
    disqualified: str | None = None,
    earned: Mapping[str, Any] | None = None,
) -> ScoreWords:
    """Say a score: the range first where leaves are open, then value, policy and coverage.

    Args:
        score: Value, low, high, coverage and perhaps sd, as `report.json` has them.
        missing: The policy, a name of `POLICY`.
        whole: Whether every leaf that applies is graded.
        disqualified: Why the score is 0 whatever the grades are, where it is.
        earned: What the grades alone would give, of a submission that is disqualified.
    """
    if disqualified is not None:
        alone = (f"the grades alone would give {span_of(earned)}",) if earned is not None else ()
        return ScoreWords("0.0%", f"disqualified: {disqualified}", alone)
    if score["low"] is None:
        return ScoreWords("not applicable", "no leaf is left to score")
    if whole:
        said = "every leaf that applies is graded"
        return ScoreWords(percent(score["value"]), said, _deviation(score))
    range_ = f"between {percent(score['low'])} and {percent(score['high'])}"
    coverage = f"coverage {percent(score['coverage'])} of the weight is graded"
    return ScoreWords(range_, "", (_value(score, missing), coverage, *_deviation(score)))


def _value(score: Mapping[str, Any], missing: str) -> str:
    if score["value"] is None:
        return f"no leaf is graded, so there is no value (missing={missing})"
    return f"{percent(score['value'])} if {POLICY[missing]}"


def _deviation(score: Mapping[str, Any]) -> tuple[str, ...]:
    if score.get("sd") is None:
        return ()
    sd = points(100 * score["sd"])
    return (f"expected; sd {sd} points, taking leaves as independent",)
