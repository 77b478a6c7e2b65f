"""Labels as JSONL: a line a label, the last line of a leaf counting."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rubric_engine.collector import without_collecting
from rubric_engine.errors import LabelsError, Place, Problem
from rubric_engine.labels.label import Label, Labels
from rubric_engine.labels.rows import LabelRows, Row, read_rows, several_of
from rubric_engine.labels.slips import json_slip
from rubric_engine.rubric_file.source import Blame, read_source

_BREAKS = re.compile("[\ud800-\udfff\x85\u2028\u2029]")
"""What some programs take for the end of a line, and what UTF-8 cannot hold."""


def json_line(value: dict[str, Any]) -> str:
    """A value in one line of UTF-8, its end included, whatever a program takes for a line."""
    text = json.dumps(value, ensure_ascii=False)
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def label_row(key: str, label: Label, annotator: str | None = None) -> dict[str, Any]:
    """A label as plain values, what is as usual left out.

    Args:
        key: Key of its leaf.
        label: The label.
        annotator: Who labelled, where the label does not say.
    """
    row = {"key": key, **label.model_dump(mode="json", exclude_defaults=True)}
    if label.annotator is None and annotator is not None:
        row["annotator"] = annotator
    return row


def jsonl_of(labels: Labels) -> str:
    """Write labels as JSONL."""
    rows = (label_row(key, label, labels.annotator) for key, label in labels.labels.items())
    return "".join(map(json_line, rows))


def read_jsonl(path: Path) -> LabelRows:
    """Read labels from JSONL; lines whose verdict is still open are no labels.

    A last line that was cut short, as a crash leaves it, is passed over with a warning.

    Raises:
        LabelsError: A line is no label; all such lines at once, each with its number.
    """
    torn: list[str] = []
    with without_collecting():
        found = read_rows(object_lines(path, torn), path.stem)
    return replace(found, warnings=tuple(torn))


def object_lines(path: Path, torn: list[str]) -> Iterator[Row]:
    """The lines of a JSONL file as plain values, each with its place.

    Args:
        path: The file.
        torn: Takes what to say of a last line that was cut short.

    Raises:
        LabelsError: A line is no JSON object; all such lines at once.
    """
    text = read_source(path, Blame(LabelsError, "E501", "label file"), torn=True)
    return _rows(text, str(path), torn)


def _rows(text: str, file: str, torn: list[str]) -> Iterator[Row]:
    # Never `splitlines`: a text may hold what that takes for the end of a line.
    *whole, last = text.split("\n")
    problems: list[Problem] = []
    for number, line in enumerate([*whole, last], start=1):
        if not line.strip():
            continue
        place = Place(file, number)
        try:
            yield place, _mapping(line)
        except (ValueError, RecursionError) as error:
            if number > len(whole):
                torn.append(f"{place}: the last line is cut short and was passed over")
            else:
                problems.append(_no_json(error, place))
    if problems:
        raise several_of(problems)


def _no_json(error: ValueError | RecursionError, place: Place) -> Problem:
    if isinstance(error, json.JSONDecodeError):
        exact = Place(place.file, place.line, error.pos + 1)
        return Problem("E501", f"no label: {json_slip(error)}", exact)
    return Problem("E501", f"no label: {error}", place)


def _mapping(line: str) -> dict[str, Any]:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("a line is one JSON object")
    return value


def is_jsonl(text: str) -> bool:
    """Whether the first line of a text is a JSON object of its own that names a leaf."""
    try:
        value = json.loads(_first(text.split("\n")))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "key" in value


def _first(lines: Iterable[str]) -> str:
    return next((line for line in lines if line.strip()), "")
