"""How the leaves of a category stand: what is certain of them, and what is still possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.grading import Score
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import weighted_mean
from rubric_engine.worth import shares

TINY = 1e-9
"""How much of a mean is rounding: `>= 0.8` holds for four leaves of five, whatever their worth."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The leaves of a category that count: those that apply and are worth something.

    Attributes:
        leaves: How many.
        met: How many of them score 1.
        failed: How many of them score less.
        low: Mean of their scores by worth if every leaf without a grade were 0.
        high: The same if every one were 1.
    """

    leaves: int
    met: int
    failed: int
    low: float
    high: float

    @property
    def open(self) -> int:
        """How many have no grade."""
        return self.leaves - self.met - self.failed

    def certain(self, at_least: float | None) -> bool:
        """Whether the category passes whatever the open leaves get."""
        return self.met == self.leaves if at_least is None else self.low >= at_least - TINY

    def possible(self, at_least: float | None) -> bool:
        """Whether it passes if the open leaves get all."""
        return self.failed == 0 if at_least is None else self.high >= at_least - TINY


def standings(rubric: Rubric, scores: Mapping[str, Score]) -> dict[str, Standing]:
    """Say how each category stands.

    Args:
        rubric: The tree, or a view of it.
        scores: Its scores, by ``propagate(rubric, grades, missing="zero")``.

    Returns:
        A `Standing` by name of each category that has a leaf that counts.
    """
    worth = shares(rubric, lambda key: scores[key].low is not None)
    leaves: dict[str, list[tuple[float, Score]]] = {}
    for key in rubric.leaves():
        if worth.get(key, 0.0) > 0:
            own = leaves.setdefault(rubric[key].task_category or "", [])
            own.append((worth[key], scores[key]))
    return {name: _standing(own) for name, own in leaves.items()}


def _standing(leaves: list[tuple[float, Score]]) -> Standing:
    weights = [worth for worth, _ in leaves]
    lows = [score.low or 0.0 for _, score in leaves]
    highs = [score.high or 0.0 for _, score in leaves]
    return Standing(
        leaves=len(leaves),
        met=sum(low == 1 for low in lows),
        failed=sum(high < 1 for high in highs),
        low=weighted_mean(weights, lows),
        high=weighted_mean(weights, highs),
    )
