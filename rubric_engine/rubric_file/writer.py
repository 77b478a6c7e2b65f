"""`dump_rubric`: a rubric as YAML or JSON that `load_rubric` reads back as the same rubric."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from rubric_engine.criterion import Criterion, CriterionFields
from rubric_engine.errors import RubricError, StorageError
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file.json_writer import json_of
from rubric_engine.rubric_file.yaml_writer import yaml_of

Format = Literal["yaml", "json"]

_ALWAYS = ("id", "requirements", "weight")
_PAPERBENCH = ("task_category", "finegrained_task_category")
_MODELS = {"checks", "scale"}
_DEEPEST_YAML = 100


def dump_rubric(
    rubric: Rubric,
    path: str | os.PathLike[str] | None = None,
    *,
    format: Format | None = None,
) -> str:
    """Write a rubric, losslessly: loading the text gives an equal rubric.

    What YAML cannot hold (lone surrogates, very long keys, a tree over 100 levels deep) is written
    as JSON, which `load_rubric` recognises under any file name. JSON without title, categories and
    metrics has PaperBench's own form.

    Args:
        rubric: A rubric as `load_rubric` gives it, or a view of one.
        path: Where to write it; without it nothing is written.
        format: yaml or json; by default JSON for a path that ends in ``.json``, else YAML.

    Returns:
        The text.

    Raises:
        RubricError: It has a title, categories or metrics, and also unknown keys or repeated ids,
            which no file can have together.
        StorageError: It cannot be written there.
    """
    is_json = path is not None and Path(path).suffix.lower() == ".json"
    text = _text(rubric, format or ("json" if is_json else "yaml"))
    if path is not None:
        _write(Path(path), text)
    return text


def _text(rubric: Rubric, format: Format) -> str:
    header = _header(rubric, format)
    levels = rubric.levels
    if format == "yaml" and max(levels.values()) <= _DEEPEST_YAML:
        nodes = ((levels[key], _fields(rubric[key])) for key in rubric.order)
        text = yaml_of(header, nodes)
        if text is not None:
            return text
    nodes = ((levels[key], _fields(rubric[key], every=True)) for key in rubric.order)
    return json_of(header, nodes)


def _header(rubric: Rubric, format: Format) -> dict[str, Any] | None:
    """The header's fields, or None where the file is the root criterion itself."""
    loose = any(rubric[key].extra or rubric[key].id != key for key in rubric)
    named = rubric.title is not None or bool(rubric.categories) or bool(rubric.metrics)
    if loose and named:
        raise RubricError(
            "a rubric with a title, categories or metrics cannot be written with unknown keys or "
            "repeated ids: a header allows neither",
            fix=["give every criterion an id of its own and an empty `extra`"],
        )
    if loose or (format == "json" and not named):
        return None
    header: dict[str, Any] = {"rubric": 1}
    if rubric.title is not None:
        header["title"] = rubric.title
    if rubric.categories:
        header["categories"] = {
            name: row.model_dump(mode="json", exclude_defaults=True)
            for name, row in rubric.categories.items()
        }
    if rubric.metrics:
        header["metrics"] = dict(rubric.metrics)
    return header


def _fields(criterion: Criterion, *, every: bool = False) -> dict[str, Any]:
    """What a file says of a criterion; `every` adds the keys that PaperBench's own reader needs."""
    fields: dict[str, Any] = dict(_chosen(criterion, every))
    weight = criterion.weight
    fields["weight"] = int(weight) if weight.is_integer() and weight < 1e15 else weight
    return {**fields, **criterion.extra}


def _chosen(criterion: Criterion, every: bool) -> Iterator[tuple[str, Any]]:
    for name, field in CriterionFields.model_fields.items():
        value = getattr(criterion, name)
        if name in _ALWAYS or (every and name in _PAPERBENCH):
            yield name, value
        elif value == field.default:
            continue
        elif name in _MODELS:
            dump = criterion.model_dump(include={name}, by_alias=True, exclude_defaults=True)
            yield name, _plain(dump[name])
        else:
            yield name, _plain(value)


def _plain(value: Any) -> Any:
    """The same with lists in place of tuples."""
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _write(path: Path, text: str) -> None:
    """Replace a file in one step, so that nobody ever reads half of it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {str(path)!r}: {error.strerror}") from error
