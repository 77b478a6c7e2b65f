"""From rows of plain values, each with its place in a file, to labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import ValidationError

from rubric_engine.errors import InputError, LabelsError, Place, Problem
from rubric_engine.labels.label import Label, Labels, is_text
from rubric_engine.rubric_file.models import in_words, several, validation_problems

Row = tuple[Place, dict[str, Any]]

SHOWN = frozenset({"path", "requirement", "category", "question", "opinions", "scale"})
"""What a work file shows to an annotator; it is no part of a label."""

_NO_PART = SHOWN | {"key", "run"}


class LabelRow(NamedTuple):  # thousands are made, and a dataclass takes three times as long
    """One row of a label file.

    Attributes:
        place: Where it stands.
        key: Key of the leaf.
        label: What it says; None where nothing is filled in yet, or a label is taken back.
        run: The run whose leaf it is, in a file that holds labels of several runs.
    """

    place: Place
    key: str
    label: Label | None
    run: str | None = None


@dataclass(frozen=True)
class LabelRows:
    """All rows of a label file, in its order.

    Attributes:
        annotator: Whom all rows name; else the name of the file.
        rows: The rows.
        warnings: What was odd and let pass, one line each.
    """

    annotator: str
    rows: tuple[LabelRow, ...]
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, labels: Labels, file: str) -> LabelRows:
        """The rows of a file that holds whole labels, and no lines."""
        rows = tuple(LabelRow(Place(file), key, label) for key, label in labels.labels.items())
        return cls(labels.annotator, rows, labels.warnings)

    @property
    def labels(self) -> Labels:
        """The labels of one submission; the last row of a leaf counts.

        Raises:
            LabelsError: A row is of a run, which is one of several.
        """
        found: dict[str, Label] = {}
        for row in self.rows:
            if row.run is not None:
                raise _of_a_run(row)
            found.pop(row.key, None)
            if row.label is not None:
                found[row.key] = row.label
        return Labels(annotator=self.annotator, labels=found).with_warnings(self.warnings)


def read_rows(rows: Iterable[Row], name: str, *, repeats: bool = True) -> LabelRows:
    """Make labels of rows of plain values.

    Args:
        rows: Each has a `key`, and the fields of a label.
        name: The annotator, where no row or not every row names the same one.
        repeats: Whether a leaf may stand twice; then the last row counts.

    Raises:
        LabelsError: Rows are no labels, or two annotators label one leaf.
    """
    kept = list(rows)
    everybody = _common([row for _, row in kept])
    last: dict[tuple[str | None, str], Label | None] = {}
    found: list[LabelRow] = []
    problems: list[Problem] = []
    for place, row in kept:
        try:
            read = _read(place, row, everybody)
            leaf = read.run, read.key
            _may_follow(last.get(leaf), read.label, repeats=repeats)
        except ValidationError as failed:
            problems += _located(failed, place, row)
        except ValueError as error:
            problems.append(Problem("E501", str(error), place))
        else:
            last[leaf] = read.label
            found.append(read)
    if problems:
        raise several_of(problems)
    return LabelRows(everybody or name, tuple(found))


def several_of(problems: Sequence[Problem]) -> InputError:
    """One error for all that is wrong in a label file."""
    return several(problems, LabelsError)


def _of_a_run(row: LabelRow) -> LabelsError:
    return LabelsError(
        f"the label of {row.key!r} names a run, {row.run!r}: the file is of an audit of several",
        place=row.place,
        fix=["rubric-engine audit benchmark score DIR FILE   takes it"],
    )


def _open(row: Mapping[str, Any]) -> bool:
    return row.get("verdict") in (None, "")


def _common(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """The annotator whom all rows name; who it is stands once, above the labels."""
    named = [row.get("annotator") for row in rows if not _open(row)]
    first = named[0] if named else None
    same = isinstance(first, str) and is_text(first) and named.count(first) == len(named)
    return first if same else None


def _read(place: Place, row: Mapping[str, Any], everybody: str | None) -> LabelRow:
    key, run = row.get("key"), row.get("run")
    if not isinstance(key, str) or not key:
        raise ValueError("'key', the key of the leaf, is missing")
    if not is_text(key):
        raise ValueError(f"key {key!r} holds what is no character")
    if run is not None and not isinstance(run, str):
        raise ValueError("'run', the name of the run, is a text")
    if _open(row):
        return LabelRow(place, key, None, run)
    fields = {name: value for name, value in row.items() if name not in _NO_PART}
    if everybody:
        del fields["annotator"]
    return LabelRow(place, key, Label.model_validate(fields), run)


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
