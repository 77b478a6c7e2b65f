"""The rows of a CSV with the line on which each begins."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rubric_engine.benchmarks.expbench.literals import MAX_CELL

# The module's limit is one for the whole process, and too low for the cells of this data set.
_LIMIT = threading.Lock()


def rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line and the cells of each row that is not empty.

    Raises:
        csv.Error: A quoted cell does not end, or text follows its end.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        with _long_cells():
            row = next(reader, None)
        if row is None:
            return
        if row:
            yield line, row


@contextmanager
def _long_cells() -> Iterator[None]:
    with _LIMIT:
        before = csv.field_size_limit(MAX_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(before)
