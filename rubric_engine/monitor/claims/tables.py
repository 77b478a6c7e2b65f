"""Tables that bear claims out: their columns, groups of their rows, and the means of these."""

from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Iterator, Sequence

MOST_GROUPS = 20
"""Different values of a column that makes groups, at most."""

MOST_WORK = 1_000_000
"""Cells that are summarised at most, each column by each grouping."""

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_MOST = 5_000_000

Numbers = list[float | None]


def delimiter_of(path: str) -> str | None:
    """What separates the cells of a file, by its name; None of what is no table."""
    return _DELIMITERS.get(path[-4:].lower())


def with_means(path: str, text: str) -> Iterator[str]:
    """A text, and behind it the means of a table as another one.

    Args:
        path: The file that holds it.
        text: The text.
    """
    yield text
    delimiter = delimiter_of(path)
    if delimiter is not None and len(text) <= _MOST:
        yield "\n".join(map(repr, means(text, delimiter)))


def means(text: str, delimiter: str = ",") -> Iterator[float]:
    """Means of the columns of numbers: over all rows, and over those that share a value.

    Groups are made by the columns whose values, 20 at most, stand twice or more on average: a
    method, a size, a seed. Of such columns themselves, and of one number, there is no mean.

    Args:
        text: The table, with a header.
        delimiter: What separates its cells.
    """
    table = columns(text, delimiter)
    rows = len(table[0]) if table else 0
    keys = [key for key in table if len(set(key)) <= min(MOST_GROUPS, rows // 2)]
    measured = [values for key in table if key not in keys and (values := column_numbers(key))]
    if rows * len(measured) * (1 + len(keys)) > MOST_WORK:
        keys = []
    for values in measured:
        groups = [[value for value in values if value is not None]]
        for key in keys:
            groups += grouped(values, key)
        yield from filter(math.isfinite, map(_mean, (own for own in groups if len(own) > 1)))


def columns(text: str, delimiter: str) -> list[tuple[str, ...]]:
    """The columns below the header; none where a row is shorter or longer than it."""
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    except csv.Error:
        return []
    if len({len(row) for row in rows}) != 1:
        return []
    return list(zip(*rows[1:], strict=True))


def column_numbers(column: Sequence[str]) -> Numbers:
    """A column of numbers, gaps as None; empty where a cell holds something else, or all do."""
    try:
        values = [float(cell) if cell.strip() else None for cell in column]
    except ValueError:
        return []
    known = [value for value in values if value is not None]
    return values if known and all(map(math.isfinite, known)) else []


def grouped(values: Sequence[float | None], key: Sequence[str]) -> list[list[float]]:
    """The numbers of a column, by the value that another one has beside each."""
    groups: dict[str, list[float]] = {}
    for value, name in zip(values, key, strict=True):
        if value is not None:
            groups.setdefault(name, []).append(value)
    return list(groups.values())


def _mean(values: Sequence[float]) -> float:
    try:
        return statistics.fmean(values)
    except OverflowError:
        return math.inf
