"""What several gradings would take together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import fsum

from rubric_engine.dry_run.foresight import Foresight, Priced
from rubric_engine.spending import Forecast, ForecastRow

CANARIES = "canaries"
"""Stands in the place of a category for calls about canaries."""


def together(foresights: Sequence[Foresight]) -> Foresight:
    """Add up what gradings take, model by model.

    Args:
        foresights: One a grading.

    Returns:
        Their sums; points are the mean over the gradings, of 100 as everywhere.
    """
    many = max(1, len(foresights))
    found: dict[tuple[str, str, str], list[Priced]] = {}
    for priced in (each for foresight in foresights for each in foresight.priced):
        model = priced.model
        found.setdefault((priced.judge, model.name, model.base_url), []).append(priced)
    unforeseen = {
        (config.name, config.base_url): config
        for foresight in foresights
        for config in foresight.unforeseen
    }
    return Foresight(
        priced=tuple(_priced(parts, many) for parts in found.values()),
        paid=sum(each.paid for each in foresights),
        waiting=sum(each.waiting for each in foresights),
        waiting_points=fsum(each.waiting_points for each in foresights) / many,
        unforeseen=tuple(unforeseen.values()),
    )


def with_canaries(leaves: Priced, canaries: Priced) -> Priced:
    """What a judge takes for the leaves and, in a row of its own, for its canaries."""
    if not canaries.forecast.total.calls:
        return leaves
    rows = leaves.forecast.categories | {CANARIES: canaries.forecast.total}
    total = _row([leaves.forecast.total, canaries.forecast.total], 1)
    rankings = leaves.rankings + canaries.rankings
    return replace(leaves, forecast=Forecast(categories=rows, total=total), rankings=rankings)


def _priced(parts: Sequence[Priced], many: int) -> Priced:
    first = parts[0]
    rows: dict[str, list[ForecastRow]] = {}
    for part in parts:
        for name, row in part.forecast.categories.items():
            rows.setdefault(name, []).append(row)
    return Priced(
        judge=first.judge,
        model=first.model,
        source=first.source,
        counted=first.counted,
        forecast=Forecast(
            categories={name: _row(each, many) for name, each in rows.items()},
            total=_row([part.forecast.total for part in parts], many),
        ),
        rankings=sum(part.rankings for part in parts),
        spare=any(part.spare for part in parts),
    )


def _row(rows: Sequence[ForecastRow], many: int) -> ForecastRow:
    return ForecastRow(
        calls=sum(row.calls for row in rows),
        input_tokens=sum(row.input_tokens for row in rows),
        cached_tokens=sum(row.cached_tokens for row in rows),
        output_tokens=sum(row.output_tokens for row in rows),
        points=fsum(row.points for row in rows) / many,
        low=_dollars(row.low for row in rows),
        high=_dollars(row.high for row in rows),
    )


def _dollars(amounts: Iterable[float | None]) -> float | None:
    known = list(amounts)
    return None if None in known else fsum(each for each in known if each is not None)
