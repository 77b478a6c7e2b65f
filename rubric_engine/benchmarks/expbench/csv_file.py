"""EXP-Bench's data set as one CSV of 14 columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.csv_rows import rows
from rubric_engine.benchmarks.expbench.escapes import decode
from rubric_engine.benchmarks.expbench.fields import design_of, kind_fits, text_of, texts_of
from rubric_engine.benchmarks.expbench.literals import NotLiteralError, json_value, literal
from rubric_engine.benchmarks.expbench.notes import TAKEN, Notes, Part
from rubric_engine.benchmarks.expbench.task import PLAIN_NAME, ExpTask
from rubric_engine.errors import Place, TaskError
from rubric_engine.near import near
from rubric_engine.rubric_file.models import several

COLUMNS = (
    "conference", "paper_id", "paper_title", "task_index", "task_type", "subtask_count", "question",
    "agent_instructions", "impl_requirements", "expected_outcome", "source_files", "github_url",
    "pdf_url", "design",
)  # fmt: skip
"""The columns, in the order of the data set; a file may have them in any."""

_LISTS = ("impl_requirements", "source_files")
_WHOLE = re.compile(r"\s*([0-9]{1,9})(\.0*)?\s*")


def read_csv(text: str, path: Path, notes: Notes) -> list[ExpTask]:
    """Read the questions of a CSV.

    Args:
        text: Text of the file.
        path: Its name, for messages.
        notes: Takes what is wrong and what was let pass.

    Returns:
        The questions that can be read.

    Raises:
        TaskError: It is no CSV, or columns are missing.
    """
    tasks: list[ExpTask] = []
    header: list[str] | None = None
    line, number = 1, 0
    try:
        for line, row in rows(text):
            number += 1
            if header is None:
                header = _header(row, path, notes)
            elif task := _row(header, row, number, Place(str(path), line), notes):
                tasks.append(task)
    except csv.Error as error:
        notes.wrong(f"row {number + 1}: {error}", Place(str(path), line), "close its quotes")
    if header is None:
        notes.wrong("the file is empty", Place(str(path), 1))
    return tasks


def _header(row: Sequence[str], path: Path, notes: Notes) -> list[str]:
    place = Place(str(path), 1)
    names = [name.strip() for name in row]
    missing = [name for name in COLUMNS if name not in names]
    for name in names:
        if name not in COLUMNS:
            notes.unknown(name, missing or COLUMNS, place)
    for name in sorted({name for name in names if names.count(name) > 1}):
        notes.wrong(f"column {name!r} stands twice", place)
    for name in missing:
        notes.wrong(f"column {name!r} is missing", place, near(name, names))
    if missing or len(set(names)) < len(names):  # each row would be wrong for the same reason
        raise several(notes.problems, TaskError)
    return names


def _row(
    header: Sequence[str], row: Sequence[str], number: int, place: Place, notes: Notes
) -> ExpTask | None:
    before = len(notes.problems)
    name = f"row {number}"
    if len(row) != len(header):
        notes.wrong(f"{name} has {len(row)} cells, {len(header)} are due", place)
        return None
    part = Part(dict(zip(header, row, strict=True)), lambda loc, of_key: place, notes, name)
    values = _values(part)
    return None if len(notes.problems) > before else ExpTask(**values)


def _values(part: Part) -> dict[str, Any]:
    cells = part.values
    _decode(part)
    kind = _number(part, "task_type", 1, 3)
    source = texts_of(part, "source_files")
    if kind is not None:
        kind_fits(part, 1 if kind == 1 else 2 if kind == 2 else 3, source, "source_files")
    extra = {name: cells[name] for name in cells if name not in COLUMNS or name == "pdf_url"}
    return {
        "conference": _plain_name(part, "conference"),
        "paper_id": _plain_name(part, "paper_id"),
        "paper_title": text_of(part, "paper_title"),
        "index": _number(part, "task_index", 0, 10**9),
        "kind": kind,
        "question": text_of(part, "question", needed=True),
        "agent_instructions": text_of(part, "agent_instructions", needed=True),
        "requirements": texts_of(part, "impl_requirements"),
        "expected_outcome": text_of(part, "expected_outcome", needed=True),
        "source_files": source,
        "masked_files": source,
        "github_url": text_of(part, "github_url"),
        "design": design_of(part, "design"),
        "subtask_count": _number(part, "subtask_count", 0, 10**9, needed=False),
        "extra": {name: value for name, value in extra.items() if value},
    }


def _decode(part: Part) -> None:
    """Turn the cells into values, in place."""
    cells = part.values
    for name, cell in list(cells.items()):
        try:
            if name in _LISTS:
                cells[name] = _list(cell)
            elif name == "design" and cell.strip():
                cells[name], other = json_value(cell)
                if other:
                    part.warn(TAKEN, name, "column 'design' is not JSON; read as Python's")
            else:
                cells[name] = decode(cell)
        except NotLiteralError as error:
            part.wrong(name, f"column {name!r}: {error}")
            cells[name] = None


def _list(cell: str) -> Any:
    """The list in a cell, or its text where it plainly is a single one."""
    text = cell.strip()
    if not text:
        return []
    return literal(text) if text[0] in "[('\"" else decode(text)


def _plain_name(part: Part, name: str) -> str:
    text = str(part.values[name]).strip()
    if not re.fullmatch(PLAIN_NAME, text):
        part.wrong(name, f"column {name!r} is {text[:60]!r}, a plain name is due")
    return text


def _number(part: Part, name: str, low: int, high: int, *, needed: bool = True) -> int | None:
    cell = part.values[name]
    if not cell.strip() and not needed:
        return None
    found = _WHOLE.fullmatch(cell)
    number = int(found[1]) if found else None
    if number is None or not low <= number <= high:
        due = f"from {low} to {high}" if high < 10 else f"{low} or more"
        part.wrong(name, f"column {name!r} is {cell[:60]!r}, a whole number {due} is due")
        return None
    if found and found[2]:
        part.warn(TAKEN, name, f"column {name!r} is {cell!r}; taken as {number}")
    return number
