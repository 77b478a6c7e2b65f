"""The key of a call: a hash of everything that was requested, and of nothing else."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rubric_engine.model import Message, text_hash

_FORMAT = 1
_LONG = 8192

# A prefix that many prompts share is one string object: Python keeps its hash, so that finding
# it here costs nothing, and only a few are held.
_long_hash = functools.lru_cache(maxsize=32)(text_hash)


def content_hash(text: str) -> str:
    """SHA-256 of a text, as hex; long texts that come again are hashed once."""
    return _long_hash(text) if len(text) >= _LONG else text_hash(text)


def canonical(value: Any) -> str:
    """JSON of a value, the same for equal values, in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def call_key(
    requested: dict[str, Any],
    messages: Sequence[Message],
    schema: dict[str, Any] | None,
    sample: int,
) -> str:
    """Return the key of a call.

    Args:
        requested: Endpoint, model and parameters, as they were asked for.
        messages: The prompt.
        schema: JSON schema of the answer, or None.
        sample: Number of the repetition.

    Returns:
        64 hex digits.
    """
    return _key(requested, [(m.role, content_hash(m.content)) for m in messages], schema, sample)


def _key(
    requested: dict[str, Any],
    messages: Sequence[tuple[str, str]],
    schema: dict[str, Any] | None,
    sample: int,
) -> str:
    parts = {
        "format": _FORMAT,
        "requested": requested,
        "messages": messages,
        "schema": schema,
        "sample": sample,
    }
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Call:
    """One request, whole: what its key is made of.

    Attributes:
        requested: Endpoint, model and parameters, as they were asked for.
        messages: The prompt.
        schema: JSON schema of the answer, or None.
        sample: Number of the repetition.
    """

    requested: dict[str, Any]
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None
    sample: int

    @functools.cached_property
    def key(self) -> str:
        """Key of the call in the ledger."""
        return _key(self.requested, self.parts, self.schema, self.sample)

    @functools.cached_property
    def parts(self) -> list[tuple[str, str]]:
        """Role and content hash of every message."""
        return [(message.role, content_hash(message.content)) for message in self.messages]


@functools.lru_cache(maxsize=32)
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """JSON schema of an answer's model; not to be changed by the caller."""
    return model.model_json_schema()
