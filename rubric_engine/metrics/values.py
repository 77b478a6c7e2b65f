"""What the metrics of a rubric are for one set of grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rubric_engine.grading import Score
from rubric_engine.metrics.ranks import decide
from rubric_engine.metrics.reasons import reasons
from rubric_engine.metrics.standing import Standing, standings
from rubric_engine.rubric import Rubric

_NOTHING = Standing(leaves=1, met=0, failed=1, low=0.0, high=0.0)


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric of one submission.

    Attributes:
        value: True or False; None where leaves without a grade leave it open, or a category has no
            leaf that counts.
        why: How the categories stand that make it so.
    """

    value: bool | None
    why: str


def metric_values(
    rubric: Rubric, scores: Mapping[str, Score], *, disqualified: str | None = None
) -> dict[str, MetricValue]:
    """Value of every metric of a rubric.

    Args:
        rubric: The tree, or a view of it.
        scores: Its scores, by ``propagate(rubric, grades, missing="zero")``.
        disqualified: Why the grades do not count, or None; then no category passes.

    Returns:
        A `MetricValue` by name, in the order of the rubric's header.
    """
    metrics = rubric.metrics
    if not metrics:
        return {}
    if disqualified is not None:
        nothing = {atom.category: _NOTHING for atom in metrics.signs.asked}
        values = decide(metrics, nothing)
        return {name: MetricValue(values[name], f"disqualified: {disqualified}") for name in values}
    known = standings(rubric, scores)
    values = decide(metrics, known)
    why = reasons(metrics, known, values)
    return {name: MetricValue(value, why[name]) for name, value in values.items()}


def metric_dicts(values: Mapping[str, MetricValue]) -> dict[str, dict[str, Any]]:
    """The metrics as plain JSON values, ``{name: {value, why}}``; undefined is null."""
    return {name: asdict(found) for name, found in values.items()}
