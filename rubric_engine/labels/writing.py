"""`labels_text`: labels as the text of a file, in any of the formats."""

from __future__ import annotations

import re
from typing import Literal, get_args

import yaml

from rubric_engine.errors import UsageError
from rubric_engine.labels.cells import csv_of
from rubric_engine.labels.graded_tree import tree_text
from rubric_engine.labels.label import Labels
from rubric_engine.labels.lines import jsonl_of, label_row
from rubric_engine.rubric import Rubric

Format = Literal["yaml", "jsonl", "csv", "paperbench"]

FORMATS: tuple[Format, ...] = get_args(Format)

SUFFIXES: dict[Format, str] = {
    "yaml": ".yaml",
    "jsonl": ".jsonl",
    "csv": ".csv",
    "paperbench": ".json",
}
"""By which `load_labels` knows each format."""

_WIDTH = 96
_NUMBER = re.compile(r"[-+.]?\d")


def labels_text(labels: Labels, format: Format, rubric: Rubric | None = None) -> str:
    """Write labels; `load_labels` reads the same labels back.

    PaperBench's format has no place for more than verdict, score and reason.

    Args:
        labels: The labels.
        format: One of `FORMATS`.
        rubric: Their rubric, which PaperBench's format holds as well.

    Raises:
        UsageError: PaperBench's format without a rubric.
        RubricError: The tree is too deep for it.
    """
    if format == "jsonl":
        return jsonl_of(labels)
    if format == "csv":
        return csv_of(labels)
    if format == "yaml":
        return _yaml_of(labels)
    if rubric is None:
        raise UsageError("PaperBench's format holds the rubric as well, and none is given")
    return tree_text(labels, rubric)


def _yaml_of(labels: Labels) -> str:
    rows = (label_row(key, label) for key, label in labels.labels.items())
    value = {"annotator": labels.annotator, "labels": {row.pop("key"): row for row in rows}}
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


class _Dumper(yaml.CSafeDumper):
    """Puts texts into quotes that some reader takes for a number, such as 0E0."""


def _represent(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if _NUMBER.match(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent)
