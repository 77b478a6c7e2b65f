"""The JSON Schema that editors use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from rubric_engine.rubric_file import rubric_schema

VALIDATOR = jsonschema.Draft202012Validator(rubric_schema())
LEAF = {"id": "a", "requirements": "x", "weight": 2, "task_category": "C"}


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object type in a schema."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(rubric_schema())
    assert rubric_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_no_object_takes_unknown_keys() -> None:
    for schema in objects(rubric_schema()):
        assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", ["RubricFile", "Node", "ScaleStep", "Category"])
def test_every_field_is_described(name: str) -> None:
    schema = rubric_schema()
    found = schema if name == "RubricFile" else schema["$defs"][name]
    for field in found["properties"].values():
        assert field["description"]


def test_shipped_rubrics_fit(root: Path) -> None:
    rubrics = sorted((root / "rubrics").glob("*/rubric.yaml"))
    assert rubrics
    for rubric in rubrics:
        VALIDATOR.validate(yaml.load(rubric.read_bytes(), Loader=yaml.SafeLoader))


def test_every_kind_of_check_fits() -> None:
    checks = [{"sql": {"query": "select 1"}}, {"not": {"exit_code": {"equals": 0}}}]
    VALIDATOR.validate({"rubric": 1, "root": {**LEAF, "checks": [{"any": checks}]}})


@pytest.mark.parametrize(
    "broken",
    [
        [],
        {},
        {"rubric": 2, "root": LEAF},
        {"rubric": 1},
        {"rubric": 1, "root": LEAF, "titel": "x"},
        {"rubric": 1, "root": {**LEAF, "weight": -1}},
        {"rubric": 1, "root": {**LEAF, "wieght": 1}},
        {"rubric": 1, "root": {"id": "a"}},
        {"rubric": 1, "root": {**LEAF, "checks": [{"file_exist": {"file": "x"}}]}},
        {"rubric": 1, "root": {**LEAF, "sub_tasks": [{"id": "b"}]}},
    ],
)
def test_broken_files_do_not_fit(broken: Any) -> None:
    assert not VALIDATOR.is_valid(broken)
