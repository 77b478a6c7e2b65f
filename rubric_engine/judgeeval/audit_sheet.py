"""The sheet of an audit: a line a leaf for a human to fill in, and what comes back.

A line is ``{"key", "leaf", "path", "requirement", "category", "verdict": null, "reason": ""}``,
with ``"run"`` in front where leaves of several runs are drawn, and ``"score": null`` and the scale
behind where the rubric asks for scores between 0 and 1. It is blind: no grade of the judge,
no worth. Any JSONL with a key and a verdict, and our YAML of labels, are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rubric_engine.errors import LabelsError, Place
from rubric_engine.labels import Label, leaf_hashes, load_labels
from rubric_engine.rubric import Rubric

MAX_SHEET = 100_000_000
"""Bytes of the largest file of labels that is read."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A label as a file has it.

    Attributes:
        run: Name of the run; None where the file names none.
        key: Key of the leaf.
        label: What the human said; None where nothing is filled in yet.
        leaf: Hash of the leaf's text and of those above it; None where the file has none.
        place: Where it stands.
    """

    run: str | None
    key: str
    label: Label | None
    leaf: str | None
    place: Place


def sheet_lines(rubric: Rubric, leaves: Iterable[str], run: str | None = None) -> Iterator[str]:
    """Lines to fill in for some leaves of a rubric, in the order given.

    Args:
        rubric: The tree.
        leaves: Their keys.
        run: Name of the run, where a sheet holds several.
    """
    hashes = leaf_hashes(rubric)
    for key in leaves:
        row = {
            "key": key,
            "leaf": hashes[key],
            "path": [rubric[above].requirements for above in rubric.path(key)[:-1]],
            "requirement": rubric[key].requirements,
            "category": rubric[key].task_category,
            "verdict": None,
            "reason": "",
        }
        # In ASCII, so that no character of a rubric can break a line in an editor.
        yield json.dumps(({} if run is None else {"run": run}) | row | _scale(rubric, key))


def _scale(rubric: Rubric, key: str) -> dict[str, Any]:
    """Room for a finer score, where the rubric asks for one."""
    if not rubric[key].partial_credit:
        return {}
    return {"score": None, "scale": [step.model_dump() for step in rubric[key].scale or ()]}


def read_sheet(path: str | Path) -> list[SheetRow]:
    """Read labels: JSONL, a line a label, or the YAML of `load_labels`.

    Raises:
        LabelsError: The file cannot be read, or a line is no label.
    """
    if Path(path).suffix in (".yaml", ".yml"):
        found = load_labels(path).labels
        return [SheetRow(None, key, label, None, Place(str(path))) for key, label in found.items()]
    return [_row(line, Place(str(path), number)) for number, line in _lines(Path(path))]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        if path.stat().st_size > MAX_SHEET:
            raise LabelsError(f"{path} has more than {MAX_SHEET // 10**6} MB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"it is not UTF-8: {error.reason}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _unreadable(path: Path, why: str) -> LabelsError:
    return LabelsError(
        f"{path} cannot be read: {why}",
        looked=["a file of labels, one a line, as `audit plan` writes it"],
        fix=["rubric-engine audit plan RUN   writes the lines to fill in"],
    )


def _row(line: str, place: Place) -> SheetRow:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(f"this line is not valid JSON: {error}", place) from None
    if not isinstance(value, dict) or not isinstance(value.get("key"), str):
        raise _damaged("a label needs a text under `key`", place)
    if not all(isinstance(value.get(name), str | None) for name in ("run", "leaf")):
        raise _damaged("`run` and `leaf` are texts", place)
    return SheetRow(value.get("run"), value["key"], _label(value, place), value.get("leaf"), place)


def _label(value: dict[str, Any], place: Place) -> Label | None:
    if value.get("verdict") in (None, ""):
        return None
    given = {name: value[name] for name in ("verdict", "reason", "score") if value.get(name)}
    if value.get("score") == 0:
        given["score"] = 0.0
    try:
        return Label.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise _damaged(f"the label of {value['key']!r}: {where}: {first['msg']}", place) from None


def _damaged(why: str, place: Place) -> LabelsError:
    fix = '{"key": "...", "verdict": "met", "reason": "..."}   is a line; so is "not_met"'
    return LabelsError(why, place=place, fix=[fix])


def last_of_each(rows: Sequence[SheetRow]) -> tuple[list[SheetRow], int]:
    """The last filled-in line of each leaf, and how many earlier ones it overrides."""
    filled = [row for row in rows if row.label is not None]
    last = {(row.run, row.key): row for row in filled}
    return list(last.values()), len(filled) - len(last)
