"""`load_labels` and `load_label_rows`: labels from a file of any of the formats."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from rubric_engine.errors import LabelsError
from rubric_engine.labels.cells import is_csv, read_csv
from rubric_engine.labels.graded_tree import read_tree
from rubric_engine.labels.identity import fitted
from rubric_engine.labels.label import Labels
from rubric_engine.labels.lines import is_jsonl, read_jsonl
from rubric_engine.labels.rows import LabelRows
from rubric_engine.near import near
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_model
from rubric_engine.rubric_file.source import Blame, read_source

Reader = Callable[[Path], LabelRows]


def load_labels(path: str | os.PathLike[str], rubric: Rubric | None = None) -> Labels:
    """Read a label file: our YAML, JSONL, CSV, or a graded tree of PaperBench.

    Args:
        path: The file; its suffix tells the format, or else its content does.
        rubric: If given, every label must be of a leaf of it; those whose leaf has another key
            now, and the same text, get that key. `fitted` tells what became of each.

    Returns:
        The labels; their `warnings` say what was odd and let pass.

    Raises:
        LabelsError: The file does not parse, or labels something that is no leaf of the rubric.
        RubricError: It is a graded tree, and the tree itself is wrong.
    """
    file = Path(path)
    labels = _reader(file)(file).labels
    return labels if rubric is None else _fitting(labels, rubric, file)


def load_label_rows(path: str | os.PathLike[str]) -> LabelRows:
    """Read a label file row by row: where each stands, and what is open, overridden or taken back.

    Args:
        path: The file, of any of the formats; without lines of its own, as YAML, each label is
            a row.

    Raises:
        LabelsError: The file does not parse.
        RubricError: It is a graded tree, and the tree itself is wrong.
    """
    file = Path(path)
    return _reader(file)(file)


def _reader(path: Path) -> Reader:
    known = _BY_SUFFIX.get(path.suffix.lower())
    if known is not None:
        return known
    text = read_source(path, Blame(LabelsError, "E501", "label file"))
    if is_csv(text):
        return read_csv
    if not text.lstrip().startswith("{"):
        return _read_yaml
    return read_jsonl if is_jsonl(text) else _json_reader(text)


def _read_json(path: Path) -> LabelRows:
    text = read_source(path, Blame(LabelsError, "E501", "label file"))
    return _json_reader(text)(path)


def _json_reader(text: str) -> Reader:
    """A graded tree or our own labels: the one has criteria, the other has labels."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _read_yaml  # which says where it is wrong
    graded = isinstance(value, dict) and not {"labels", "annotator"} & value.keys()
    return _read_tree if graded else _read_yaml


def _read_yaml(path: Path) -> LabelRows:
    return LabelRows.of(load_model(path, Labels, error=LabelsError, code="E501"), str(path))


def _read_tree(path: Path) -> LabelRows:
    return LabelRows.of(read_tree(path), str(path))


_BY_SUFFIX: dict[str, Reader] = {
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".csv": read_csv,
    ".json": _read_json,
}


def _fitting(labels: Labels, rubric: Rubric, path: Path) -> Labels:
    fit = fitted(labels, rubric)
    if not fit.lost:
        return fit.labels.with_warnings((*labels.warnings, *fit.words))
    leaves = set(rubric.leaves())
    strangers = [key for key in labels.labels if key not in leaves and key not in fit.renamed]
    if not strangers:
        first = fit.lost[0]
        message = f"{path}: {len(fit.lost)} labels were made for other texts than the rubric's"
        raise LabelsError(f"{message}, the first {first!r}", code="E502", looked=fit.words)
    meant = near(strangers[0], rubric.leaves())
    raise LabelsError(
        f"{path} labels {len(strangers)} keys that are no leaf of the rubric, the first "
        f"{strangers[0]!r}" + (f"; {meant}" if meant else ""),
        code="E502",
        fix=["rubric-engine rubric tree RUBRIC lists the keys"],
    )
