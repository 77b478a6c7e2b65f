"""Figures that follow from given ones: summaries of tables, and one step of arithmetic. Pure."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from types import MappingProxyType

from rubric_engine.monitor.claims.tables import (
    MOST_GROUPS,
    MOST_WORK,
    column_numbers,
    columns,
    grouped,
)
from rubric_engine.monitor.numbers import NUMBER, numbers

MOST_PAIRED = 6
"""Figures that are taken two by two at most: of more, some pair gives any number by chance."""

_UNIT = re.compile(r"\s?([%\u2030]|[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+)")

Statistic = Callable[[Sequence[float]], float]
STATISTICS: Mapping[str, Statistic] = MappingProxyType(
    {
        "count": len,
        "sum": math.fsum,
        "mean": statistics.fmean,
        "median": statistics.median,
        "smallest": min,
        "largest": max,
        "standard deviation": lambda values: statistics.stdev(values) if values[1:] else math.nan,
    }
)

_COMPARED = ("count", "sum", "mean", "median")


def steps(figures: Sequence[float]) -> Iterator[float]:
    """What one step makes of two of a few figures: sum, difference, ratio, relative change.

    Args:
        figures: Figures that can be compared; of more than `MOST_PAIRED` different ones, none.
    """
    known = list(dict.fromkeys(figures))
    if len(known) > MOST_PAIRED:
        return
    for one, other in permutations(known, 2):
        found = [one + other, abs(one - other)]
        if other:
            found += [abs(one / other), abs((one - other) / other)]
        yield from filter(math.isfinite, found)


def of_text(text: str) -> tuple[float, ...]:
    """What one step makes of two numbers of a text that have the same unit, or noun."""
    by_unit: dict[str, list[float]] = {}
    for number in numbers(text, NUMBER):
        if unit := _UNIT.match(text, number.end):
            by_unit.setdefault(unit[1].casefold(), []).append(number.value)
    return tuple(found for values in by_unit.values() for found in steps(values))


def of_table(text: str, delimiter: str = ",") -> tuple[float, ...]:
    """Summaries of a table's columns, and what one step makes of two of the same kind.

    Each column of numbers is summarised as a whole and for every value of every column that has at
    most 20 different ones; of a table too large for that, as a whole. Steps are taken between
    counts, sums, means or medians of groups that a column of texts makes.

    Args:
        text: The table, with a header.
        delimiter: What separates its cells.

    Returns:
        Their sizes; none of what is no table.
    """
    found: list[float] = []
    for family, compared in _families(columns(text, delimiter)):
        found += [abs(value) for value in family if math.isfinite(value)]
        found += steps(family) if compared else ()
    return tuple(found)


def _families(table: Sequence[tuple[str, ...]]) -> Iterator[tuple[list[float], bool]]:
    """For each column and statistic its value over all rows and over those of each group.

    With it goes whether they are compared: sums, means and medians of groups that have names.
    """
    measured = {at: values for at, column in enumerate(table) if (values := column_numbers(column))}
    keys = {at: key for at, key in enumerate(table) if len(set(key)) <= MOST_GROUPS}
    rows = len(table[0]) if table else 0
    if rows * len(measured) * (1 + len(keys)) > MOST_WORK:
        keys = {}
    for at, values in measured.items():
        whole = [value for value in values if value is not None]
        groups = {key: grouped(values, keys[key]) for key in keys if key != at}
        for name, statistic in STATISTICS.items():
            yield [_of(statistic, whole)], False
            for key, own in groups.items():
                compared = name in _COMPARED and key not in measured
                yield [_of(statistic, each) for each in (whole, *own)], compared


def _of(statistic: Statistic, values: Sequence[float]) -> float:
    try:
        return statistic(values)
    except OverflowError:
        return math.inf
