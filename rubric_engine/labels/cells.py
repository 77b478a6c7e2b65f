"""Labels as CSV, for spreadsheets: a row a label."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from rubric_engine.errors import LabelsError, Place, Problem
from rubric_engine.labels.label import Label, Labels
from rubric_engine.labels.lines import label_row
from rubric_engine.labels.rows import LabelRows, Row, read_rows, several_of
from rubric_engine.labels.slips import json_slip
from rubric_engine.rubric_file.source import Blame, read_source
from rubric_engine.visible import UNSEEN

COLUMNS = ("key", *Label.model_fields)

_MARK = "\ufeff"
"""Without it, spreadsheets take UTF-8 for something else; readers of CSV pass it over."""

_FORMULA = re.compile(rf"'*{UNSEEN}*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_HELD = re.compile(rf"'+{UNSEEN}*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def csv_of(labels: Labels) -> str:
    """Write labels as CSV.

    A cell that a spreadsheet would take for a formula gets a ``'`` before it, and so does one that
    already starts with such; `read_csv` takes exactly that one off again.
    """
    out = StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for key, label in labels.labels.items():
        row = label_row(key, label, labels.annotator)
        table.writerow([_cell(row.get(name)) for name in COLUMNS])
    return _MARK + out.getvalue()


def read_csv(path: Path) -> LabelRows:
    """Read labels from CSV; rows whose verdict is empty are no labels.

    Raises:
        LabelsError: The header is not one of labels, or rows are none; each with its line.
    """
    text = read_source(path, Blame(LabelsError, "E501", "label file"))
    return read_rows(list(_rows(text, str(path))), path.stem, repeats=False)


def is_csv(text: str) -> bool:
    """Whether a text starts with a header of labels."""
    header = next(iter(text.split("\n", 1))).strip().split(",")
    return {"key", "verdict"} <= {name.strip('"') for name in header}


def _rows(text: str, file: str) -> Iterator[Row]:
    problems: list[Problem] = []
    table = csv.DictReader(StringIO(text, newline=""), restkey="", strict=True)
    start = 1
    try:
        missing = {"key", "verdict"} - set(table.fieldnames or ())
        if missing:
            raise csv.Error(f"no column {' or '.join(map(repr, sorted(missing)))}")
        start = table.line_num + 1
        for row in table:
            try:
                yield Place(file, start), _values(row)
            except ValueError as error:
                problems.append(Problem("E501", str(error), Place(file, start)))
            start = table.line_num + 1
    except csv.Error as error:
        problems.append(Problem("E501", f"no table of labels: {error}", Place(file, start)))
    if problems:
        raise several_of(problems)


def _values(row: dict[str, Any]) -> dict[str, Any]:
    if "" in row:
        raise ValueError("the row has more cells than the table has columns")
    texts = {name: _plain(cell) for name, cell in row.items() if cell}
    return {name: _value(name, text) for name, text in texts.items()}


def _value(name: str, text: str) -> Any:
    if name == "citations":
        return _parsed(name, text) if text.startswith("[") else text.split("\n")
    return _parsed(name, text) if name == "votes" else text


def _parsed(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}: {json_slip(error)}") from None


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _plain(cell: str) -> str:
    return cell[1:] if _HELD.match(cell) else cell
