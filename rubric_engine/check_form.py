"""The form that checks have in files: a mapping with one key, the kind.

In memory a check is flat and knows its `kind`, which is how pydantic tells the union apart. The
classes here translate between the two, for reading, for writing and for the JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

from rubric_engine.near import near

_INNER: Mapping[str, str] = {"any": "checks", "all": "checks", "not": "check"}
"""Field of the kinds under which other checks stand, and no fields."""


class CheckModel(BaseModel):
    """Base of all checks."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe what stands under the kind in a file: the fields, or the inner checks."""
        named = handler(schema)
        fields = handler.resolve_ref_schema(named)
        kind = fields["properties"].pop("kind")["const"]
        if kind in _INNER:
            inner = fields["properties"][_INNER[kind]] | {"description": fields["description"]}
            fields.clear()
            fields.update(inner)
        return named


def kind_of(model: type[CheckModel]) -> str:
    """The kind that a class of checks stands for."""
    kind: str = model.model_fields["kind"].default
    return kind


class OneKey:
    """Annotation that gives a union of checks its one-key form.

    Args:
        kinds: The kinds of the union, in its order.
    """

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Read the one-key form, and write it."""
        return core_schema.no_info_before_validator_function(
            self._flat,
            handler(source),
            serialization=core_schema.wrap_serializer_function_ser_schema(_one_key),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe one branch a kind."""
        branches = zip(self.kinds, handler(schema)["oneOf"], strict=True)
        return {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {kind: branch},
                    "required": [kind],
                    "additionalProperties": False,
                }
                for kind, branch in branches
            ]
        }

    def _flat(self, value: Any) -> Any:
        """Turn ``{kind: fields}`` into the flat form."""
        if isinstance(value, CheckModel):
            return value
        if not isinstance(value, Mapping) or len(value) != 1:
            message = "a check is a mapping with one key, its kind, such as file_exists"
            raise PydanticCustomError("check_form", message)
        kind, fields = next(iter(value.items()))
        if kind not in self.kinds:
            meant = near(str(kind), self.kinds) or "one of " + ", ".join(self.kinds)
            facts = {"kind": repr(kind), "meant": meant}
            raise PydanticCustomError("check_kind", "unknown check {kind}; {meant}", facts)
        if kind in ("any", "all") and not (isinstance(fields, list | tuple) and fields):
            raise PydanticCustomError(
                "check_fields", "{kind} takes a list of checks", {"kind": kind}
            )
        if kind in _INNER:
            return {"kind": kind, _INNER[kind]: fields}
        if not isinstance(fields, Mapping):
            message = "{kind} takes a mapping of its fields"
            raise PydanticCustomError("check_fields", message, {"kind": kind})
        if "kind" in fields:
            raise PydanticCustomError("extra_forbidden", "unknown key 'kind'")
        return {"kind": kind, **fields}


def _one_key(value: CheckModel, dump: core_schema.SerializerFunctionWrapHandler) -> dict[str, Any]:
    fields = dump(value)
    fields.pop("kind", None)
    kind = kind_of(type(value))
    return {kind: fields[_INNER[kind]] if kind in _INNER else fields}
