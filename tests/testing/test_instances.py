"""Plausible instances follow their schema and say the verdict."""

from __future__ import annotations

from typing import Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from rubric_engine.testing.instances import instance


class Citation(BaseModel):
    path: str
    start_line: int = Field(ge=1)
    quote: str | None = None


class Judgement(BaseModel):
    expected: str = Field(min_length=20)
    citations: list[Citation] = Field(max_length=3)
    pair: tuple[int, str]
    kind: Literal["full", "part"]
    score: float = Field(ge=0, le=1)
    level: int = Field(gt=2, lt=9)
    met: bool


class Tree(BaseModel):
    children: list[Tree]
    parent: Tree | None


@pytest.mark.parametrize("model", [Citation, Judgement, Tree])
@pytest.mark.parametrize("verdict", [True, False, None])
def test_an_instance_follows_its_schema(model: type[BaseModel], verdict: bool | None) -> None:
    schema = model.model_json_schema()
    written = instance(schema, "key", verdict)
    jsonschema.validate(written, schema)
    model.model_validate(written)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "null"}, "minItems": 3},
        {"oneOf": [{"type": "null"}, {"const": 7}]},
        {"allOf": [{"type": "integer"}, {"minimum": 5}]},
        {"type": ["null", "number"], "exclusiveMinimum": 2, "exclusiveMaximum": 3},
        {"type": "integer", "maximum": -4},
        {"type": "string", "maxLength": 3},
        {"enum": [0, 0.5, 1]},
        {"properties": {"inner": {"$ref": "#"}}, "type": "object"},
    ],
)
def test_rarer_forms(schema: dict[str, Any]) -> None:
    jsonschema.validate(instance(schema, "key"), schema)


def test_booleans_and_bounded_numbers_say_the_verdict() -> None:
    schema = Judgement.model_json_schema()
    yes, no = (instance(schema, "key", verdict) for verdict in (True, False))
    assert (yes["met"], yes["score"]) == (True, 1)
    assert (no["met"], no["score"]) == (False, 0)
    assert instance({"enum": [0, 0.5, 1]}, "key", True) == 1


def test_without_a_verdict_the_key_decides() -> None:
    said = [instance({"type": "boolean"}, f"leaf {number}") for number in range(100)]
    assert said == [instance({"type": "boolean"}, f"leaf {number}") for number in range(100)]
    assert 20 < sum(said) < 80
