"""From rows of plain values, each with its place in a file, to labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from rubric_engine.errors import InputError, LabelsError, Place, Problem
from rubric_engine.labels.label import Label, Labels, is_text
from rubric_engine.rubric_file.models import in_words, several, validation_problems

Row = tuple[Place, dict[str, Any]]

SHOWN = frozenset({"path", "requirement", "category", "question", "opinions"})
"""What a work file shows to an annotator; it is no part of a label."""


def gathered(rows: Iterable[Row], name: str, *, repeats: bool = True) -> Labels:
    """Make labels of rows; a row without a verdict takes back what an earlier one said.

    Args:
        rows: Each has a `key`, and the fields of a label.
        name: The annotator, where no row or not every row names the same one.
        repeats: Whether a leaf may stand twice; then the last row counts.

    Raises:
        LabelsError: Rows are no labels, or two annotators label one leaf.
    """
    kept = list(rows)
    everybody = _common([row for _, row in kept])
    found: dict[str, Label] = {}
    problems: list[Problem] = []
    for place, row in kept:
        try:
            key, label = _read(row, everybody)
            _may_follow(found.get(key), label, repeats=repeats)
        except ValidationError as failed:
            problems += _located(failed, place, row)
        except ValueError as error:
            problems.append(Problem("E501", str(error), place))
        else:
            found.pop(key, None)
            if label is not None:
                found[key] = label
    if problems:
        raise several_of(problems)
    return Labels(annotator=everybody or name, labels=found)


def several_of(problems: Sequence[Problem]) -> InputError:
    """One error for all that is wrong in a label file."""
    return several(problems, LabelsError)


def _common(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """The annotator whom all rows name; who it is stands once, above the labels."""
    named = [row.get("annotator") for row in rows if row.get("verdict") is not None]
    first = named[0] if named else None
    same = isinstance(first, str) and is_text(first) and named.count(first) == len(named)
    return first if same else None


def _read(row: Mapping[str, Any], everybody: str | None) -> tuple[str, Label | None]:
    key = row.get("key")
    if not isinstance(key, str) or not key:
        raise ValueError("'key', the key of the leaf, is missing")
    if not is_text(key):
        raise ValueError(f"key {key!r} holds what is no character")
    if row.get("verdict") is None:
        return key, None
    fields = {name: value for name, value in row.items() if name not in SHOWN}
    del fields["key"]
    if everybody:
        del fields["annotator"]
    return key, Label.model_validate(fields)


def _may_follow(before: Label | None, label: Label | None, *, repeats: bool) -> None:
    if before is None:
        return
    if not repeats:
        raise ValueError("this leaf has a label already, in a row above")
    if label is not None and before.annotator != label.annotator:
        both = f"{before.annotator!r} and {label.annotator!r}"
        raise ValueError(f"{both} both label this leaf; keep a file for each annotator")


def _located(failed: ValidationError, place: Place, row: dict[str, Any]) -> Iterator[Problem]:
    for loc, kind, message, hint in validation_problems(failed):
        text = in_words(loc, kind, message)
        yield Problem("E501", f"label of {row['key']!r}: {text}", place, hint=hint)
