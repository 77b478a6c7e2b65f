"""A plausible instance of a JSON schema, the same for the same key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

DEEP = 6  # levels after which only what must be there is written


def toss(*parts: object) -> float:
    """A number from 0 to 1 (not 1 itself) that follows from the parts alone."""
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big") / 2**56


def instance(schema: Schema, key: str, verdict: bool | None = None) -> Any:
    """An instance: strings short, arrays with one element, all properties there.

    Booleans say the verdict, numbers with two bounds and choices of numbers stand at the upper or
    lower one accordingly.

    Args:
        schema: The JSON schema.
        key: Decides the verdict where there is none.
        verdict: What the answer is to say.
    """
    said = toss(key) < 0.5 if verdict is None else verdict
    return _Writer(schema, said).value(schema, 0)


class _Writer:
    """Writes instances of the parts of one schema."""

    def __init__(self, root: Schema, verdict: bool) -> None:
        self.root = root
        self.definitions = {**root.get("definitions", {}), **root.get("$defs", {})}
        self.verdict = verdict

    def value(self, schema: Schema, depth: int) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._choice(list(schema["enum"]))
        for alternatives in ("anyOf", "oneOf"):
            if alternatives in schema:
                return self.value(_alternative(schema[alternatives], depth), depth + 1)
        return self._by_type(schema, depth)

    def _resolved(self, schema: Schema) -> Schema:
        """The schema with its references followed and the parts of `allOf` joined."""
        while "$ref" in schema:
            target = self.definitions.get(str(schema["$ref"]).rsplit("/", 1)[-1], self.root)
            schema = {**target, **{key: schema[key] for key in schema if key != "$ref"}}
        for part in schema.get("allOf", ()):
            schema = {**self._resolved(part), **schema}
        return schema

    def _choice(self, choices: list[Any]) -> Any:
        if all(isinstance(choice, int | float) for choice in choices):
            return (max if self.verdict else min)(choices)
        return choices[0]

    def _by_type(self, schema: Schema, depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = next((name for name in kind if name != "null"), "null")
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "boolean":
                return self.verdict
            case "integer" | "number":
                return self._number(schema, kind)
            case "null":
                return None
        return "scripted".ljust(schema.get("minLength", 0), ".")[: schema.get("maxLength")]

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        parts = schema.get("properties", {})
        names = schema.get("required", ()) if depth > DEEP else parts
        return {name: self.value(parts[name], depth + 1) for name in parts if name in names}

    def _array(self, schema: Schema, depth: int) -> list[Any]:
        least = schema.get("minItems", 0)
        count = least if depth > DEEP else max(least, min(1, schema.get("maxItems", 1)))
        first = [self.value(part, depth + 1) for part in schema.get("prefixItems", ())]
        items = schema.get("items") or {"type": "string"}
        return first + [self.value(items, depth + 1) for _ in range(count - len(first))]

    def _number(self, schema: Schema, kind: str) -> float:
        step = 1 if kind == "integer" else 0.001
        low = schema.get("minimum", schema.get("exclusiveMinimum", -step) + step)
        high = schema.get("maximum")
        if high is None and "exclusiveMaximum" in schema:
            high = schema["exclusiveMaximum"] - step
        if high is None:
            high = low = low if "minimum" in schema else max(low, 1)
        chosen: float = high if self.verdict else min(low, high)
        return chosen


def _alternative(schemas: list[Schema], depth: int) -> Schema:
    """The first alternative that says something; deep down, null where it may be."""
    null = [schema for schema in schemas if schema.get("type") == "null"]
    other = [schema for schema in schemas if schema.get("type") != "null"]
    return (null + other if depth > DEEP else other + null)[0]
