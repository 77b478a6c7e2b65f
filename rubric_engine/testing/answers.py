"""What the model says when the script leaves it open: a plausible answer, by verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from rubric_engine.testing.instances import instance
from rubric_engine.testing.values import Reply, Request

Value = TypeVar("Value")


def last_match(table: Mapping[str, Value], *texts: str) -> Value | None:
    """The value whose key ends last in the first text that holds any.

    A prompt ends with what it asks about, and shows others as context before.
    """
    for text in texts:
        ends = {key: text.rfind(key) + len(key) for key in table if key in text}
        if ends:
            return table[max(ends, key=lambda key: (ends[key], len(key)))]
    return None


def plausible(request: Request, verdicts: Mapping[str, bool]) -> Reply:
    """An answer in the form that is asked for; see `instances.instance`."""
    verdict = last_match(verdicts, request.question, request.prompt)
    schema = request.schema or _schema_in(request)
    if schema is not None:
        content: Mapping[str, Any] | str = instance(schema, request.question, verdict)
    else:
        content = {"answer": "scripted"} if request.format == "json_object" else "scripted"
    return Reply(content, reasoning="Looking at what was asked.")


def _schema_in(request: Request) -> dict[str, Any] | None:
    """The last JSON schema in the prompt, for endpoints that take none beside it."""
    for text in reversed(request.contents):
        if '"properties"' in text and (schemas := list(_schemas(text))):
            return schemas[-1]
    return None


def _schemas(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found, end = None, start + 1
        if isinstance(found, dict) and isinstance(found.get("properties"), dict):
            yield found
        start = text.find("{", end)
