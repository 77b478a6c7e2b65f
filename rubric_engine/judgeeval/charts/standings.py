"""The rows of the judges' chart: judges best first, then those that any judge must beat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.charts.subjects import Ground
from rubric_engine.judgeeval.charts.words import plain
from rubric_engine.judgeeval.intervals import Interval
from rubric_engine.judgeeval.naming import without_model
from rubric_engine.judgeeval.rows import Row


@dataclass(frozen=True, slots=True)
class Standing:
    """What the chart shows of a row of the table of judges; None is what it cannot know.

    Attributes:
        name: The row.
        judge: False for rows that need no judge: constants, the coin, humans.
        pooled: Macro F1 over all leaves, leaves without a grade counting as wrong.
        here: Its interval for these submissions.
        mean: Mean over submissions of macro F1.
        anew: Its interval for new submissions.
        coverage: Share of the labelled leaves with a grade.
        kappa: Cohen's, pooled.
        error: Mean absolute error of root scores, in points of 100.
        usd: Dollars for a submission.
        price: The same in words; empty for humans.
        categories: Pooled macro F1 by category.
    """

    name: str
    judge: bool
    pooled: float | None
    here: Interval | None
    mean: float | None
    anew: Interval | None
    coverage: float | None
    kappa: float | None
    error: float | None
    usd: float | None
    price: str
    categories: Mapping[str, float | None]


def standings(ground: Ground) -> list[Standing]:
    """The rows of judges on the same leaves, best first, and the rows that always stand there."""
    others = [row for row in ground.leaves.rows if row.kind != "judge"]
    return [
        *(_standing(ground.names[row.name], row) for row in ground.leaves.judges),
        *(_standing(_shown(row), row) for row in others),
    ]


def _shown(row: Row) -> str:
    return plain(without_model(row.name) if row.kind == "baseline" else row.name)


def _standing(name: str, row: Row) -> Standing:
    found, intervals = row.agreement, row.intervals
    pooled, mae = found.pooled, found.root.mae
    usd = found.cost.per_submission
    free = row.kind == "human"
    return Standing(
        name=name,
        judge=row.kind == "judge",
        pooled=pooled.headline.f1,
        here=intervals["f1"].pooled.here if intervals else None,
        mean=found.means["f1"].value,
        anew=intervals["f1"].mean.anew if intervals else None,
        coverage=pooled.coverage.leaves if pooled.coverage.labelled else None,
        kappa=pooled.headline.kappa,
        error=None if mae is None else 100 * mae,
        usd=None if free else usd,
        price="" if free else "unpriced" if usd is None else f"${usd:,.2f}",
        categories={category: one.headline.f1 for category, one in found.categories.items()},
    )
