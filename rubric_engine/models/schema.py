"""The JSON schema of an answer, in the subset that strict structured output takes."""

from __future__ import annotations

import functools
import json
from typing import Any

from pydantic import BaseModel

# Keywords that strict mode refuses or that say nothing to it. What they demand is checked here.
_LEFT_OUT = frozenset({"title", "default", "minLength", "maxLength", "discriminator", "examples"})
_NAMED = frozenset({"properties", "$defs"})  # maps whose keys are names, not keywords


@functools.cache
def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the schema with every property required and no other allowed."""
    strict = _strict(schema.model_json_schema())
    assert isinstance(strict, dict)
    return strict


@functools.cache
def schema_text(schema: type[BaseModel]) -> str:
    """Return the schema as one line of JSON."""
    return json.dumps(strict_schema(schema), ensure_ascii=False)


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:  # no keyword may stand beside a reference
        return {"$ref": node["$ref"]}
    strict = {_keyword(key): _value(key, node[key]) for key in node if key not in _LEFT_OUT}
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _value(key: str, value: Any) -> Any:
    if key in _NAMED:
        return {name: _strict(item) for name, item in value.items()}
    return _strict(value)


def _keyword(key: str) -> str:
    return "anyOf" if key == "oneOf" else key
