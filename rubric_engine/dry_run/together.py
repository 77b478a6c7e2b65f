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
    unforeseen = {
        (config.name, config.base_url): config
        for foresight in foresights
        for config in foresight.unforeseen
    }
    return Foresight(
        priced=merged((each for foresight in foresights for each in foresight.priced), many),
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


def in_turn(foresights: Sequence[Foresight]) -> Foresight:
    """What several judges would take on the same leaves, one after the other.

    A call that two of them make is paid for once: they are foreseen with one `Promised` for all.
    """
    return Foresight(
        priced=tuple(each for foresight in foresights for each in foresight.priced),
        paid=sum(each.paid for each in foresights),
        waiting=max((each.waiting for each in foresights), default=0),
        waiting_points=max((each.waiting_points for each in foresights), default=0.0),
        unforeseen=tuple(each for foresight in foresights for each in foresight.unforeseen),
    )


def merged(priced: Iterable[Priced], many: int) -> tuple[Priced, ...]:
    """Add up calls of the same judge to the same model; what may not be asked stays apart.

    Args:
        priced: The calls.
        many: How often each leaf is in them, as points are the mean over these.
    """
    found: dict[tuple[str, str, str, bool], list[Priced]] = {}
    for each in priced:
        who = each.judge, each.model.name, each.model.base_url, each.spare
        found.setdefault(who, []).append(each)
    return tuple(_priced(parts, many) for parts in found.values())


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
        spare=first.spare,
        member_of=first.member_of,
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
