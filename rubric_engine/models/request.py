"""The body of a request: messages, parameters, and the form of the answer."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rubric_engine.model import Message, ModelConfig
from rubric_engine.models.negotiation import Endpoint
from rubric_engine.models.schema import schema_text, strict_schema
from rubric_engine.models.texts import json_text, text_tokens
from rubric_engine.tokens import estimate_tokens

_OVERHEAD = 4  # tokens that a chat template adds to a message


@dataclass(frozen=True)
class Request:
    """What one attempt sends.

    Attributes:
        body: The encoded body.
        parameters: What it asks for beside the messages, `form` in place of the schema.
        estimate: Estimated tokens of the prompt.
        output_limit: Most tokens of the answer, where the request limits them.
        endpoint: What was taken to be known of the endpoint.
    """

    body: bytes
    parameters: Mapping[str, Any]
    estimate: int
    output_limit: int | None
    endpoint: Endpoint


def build_request(
    config: ModelConfig,
    endpoint: Endpoint,
    messages: Sequence[Message],
    schema: type[BaseModel] | None,
    sample: int,
) -> Request:
    """Build the request that an endpoint is known to take.

    Args:
        config: The model and its settings.
        endpoint: What is known of the endpoint.
        messages: The prompt.
        schema: Model that the answer must follow, if any.
        sample: Number of the repetition; it moves a fixed seed, so that repetitions differ.
    """
    parameters = _parameters(config, endpoint, sample)
    turns = _turns(messages, endpoint, schema)
    form = None if schema is None else _response_format(endpoint.form, schema)
    return Request(
        body=_body(parameters, turns, form),
        parameters={**parameters, "form": endpoint.form} if schema else parameters,
        estimate=sum(text_tokens(turn["content"]) + _OVERHEAD for turn in turns)
        + (_schema_tokens(schema) if schema is not None else 0),
        output_limit=config.max_output_tokens if endpoint.limit else None,
        endpoint=endpoint,
    )


def _body(
    parameters: Mapping[str, Any], turns: Sequence[dict[str, str]], form: bytes | None
) -> bytes:
    """Encode the body; of the turns, long texts that come again are encoded once."""
    pieces = [_json(parameters)[:-1]]
    if form is not None:
        pieces += [b',"response_format":', form]
    pieces.append(b',"messages":[')
    for at, turn in enumerate(turns):
        opening = f'{"," if at else ""}{{"role":"{turn["role"]}","content":'
        pieces += [opening.encode(), json_text(turn["content"]), b"}"]
    return b"".join([*pieces, b"]}"])


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _parameters(config: ModelConfig, endpoint: Endpoint, sample: int) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "model": config.name,
        "temperature": config.temperature,
        "reasoning_effort": config.reasoning_effort,
        "seed": None if config.seed is None else config.seed + sample,
    }
    if endpoint.limit is not None:
        wanted[endpoint.limit] = config.max_output_tokens
    wanted |= config.extra_body
    return {
        name: value
        for name, value in wanted.items()
        if value is not None and name not in endpoint.dropped
    }


def _turns(
    messages: Sequence[Message], endpoint: Endpoint, schema: type[BaseModel] | None
) -> list[dict[str, str]]:
    turns = [{"role": message.role, "content": message.content} for message in messages]
    if schema is not None and endpoint.form != "json_schema":
        turns[-1]["content"] += f"\n\n{form_instruction(schema)}"
    return _joined(turns) if endpoint.alternate else turns


def _joined(turns: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Join neighbours of one role; a system message opens the first turn of the user."""
    joined: list[dict[str, str]] = []
    for turn in turns:
        role = "user" if turn["role"] == "system" else turn["role"]
        if joined and joined[-1]["role"] == role:
            joined[-1]["content"] += "\n\n" + turn["content"]
        else:
            joined.append({"role": role, "content": turn["content"]})
    return joined


def form_instruction(schema: type[BaseModel]) -> str:
    """Say in words what a server that takes no schema must be told by the prompt."""
    return (
        "Answer with one JSON object and nothing else. It must follow this JSON schema:\n"
        + schema_text(schema)
    )


@functools.cache
def _response_format(form: str, schema: type[BaseModel]) -> bytes | None:
    """What asks for the form beside the prompt, encoded; None where the prompt must say it all."""
    if form == "text":
        return None
    if form == "json_object":
        return _json({"type": "json_object"})
    asked = {"name": schema.__name__, "strict": True, "schema": strict_schema(schema)}
    return _json({"type": "json_schema", "json_schema": asked})


@functools.cache
def _schema_tokens(schema: type[BaseModel]) -> int:
    return estimate_tokens(schema_text(schema))
