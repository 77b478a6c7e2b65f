"""The body of a request to a decision model, in either protocol.

Questions go by their number in the request. What a leaf is called is its author's text, and no
part of what is asked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rubric_engine.decision import Question, Transport, question_tokens
from rubric_engine.model import Message, ModelConfig
from rubric_engine.models.negotiation import Endpoint
from rubric_engine.models.request import Request
from rubric_engine.models.texts import text_tokens

_OVERHEAD = 4  # tokens that a message adds


def build_decision_request(
    config: ModelConfig,
    endpoint: Endpoint,
    transport: Transport,
    input: Sequence[Message],
    questions: Sequence[Question],
) -> Request:
    """Build a request.

    Args:
        config: The model and its settings.
        endpoint: What is known of the endpoint.
        transport: The protocol.
        input: What the questions are about.
        questions: The questions.
    """
    parameters = {
        name: value
        for name, value in {"model": config.name, **config.extra_body}.items()
        if name not in endpoint.dropped
    }
    asked = questions_of(transport, questions)
    body = {**parameters, "questions": asked}
    if transport == "openai":
        body["input"] = state_of(input)
    else:
        body["state"] = "\n\n".join(message["content"] for message in state_of(input))
    return Request(
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(),
        parameters=parameters,
        estimate=input_tokens(input) + sum(map(question_tokens, questions)),
        output_limit=config.max_output_tokens,
        endpoint=endpoint,
    )


def state_of(input: Sequence[Message]) -> Any:
    """The input as messages; a lone surrogate, which a file may hold, has no UTF-8 form."""
    return [{"role": each.role, "content": _encodable(each.content)} for each in input]


def questions_of(transport: Transport, questions: Sequence[Question]) -> Any:
    """The questions of a request: a list, or a mapping by name."""
    if transport == "openai":
        return [
            {"name": name, **_of_openai(each)}
            for name, each in zip(names(questions), questions, strict=True)
        ]
    return dict(zip(names(questions), map(_of_system_one, questions), strict=True))


def names(questions: Sequence[Question]) -> list[str]:
    """What the questions of a request go by."""
    return [f"q{number}" for number in range(1, len(questions) + 1)]


def input_tokens(input: Sequence[Message]) -> int:
    """Estimated tokens of an input."""
    return sum(text_tokens(message.content) + _OVERHEAD for message in input)


def _of_openai(question: Question) -> dict[str, Any]:
    said: dict[str, Any] = {"type": question.kind, "instructions": _encodable(question.text)}
    if question.kind == "choice":
        said["choices"] = [_option("value", option) for option in question.options]
    if question.kind == "score":
        said["levels"] = [_option("label", option) for option in question.options]
    return said


def _option(name: str, option: Any) -> dict[str, str]:
    return {name: _encodable(option.label), "description": _encodable(option.description)}


def _of_system_one(question: Question) -> dict[str, Any]:
    kind = "noul" if question.kind == "predicate" else question.kind
    said: dict[str, Any] = {"type": kind, "instructions": _encodable(question.text)}
    if question.kind == "choice":
        said["criteria"] = {
            _encodable(option.label): _encodable(option.description) for option in question.options
        }
    if question.kind == "score":
        said["criteria"] = [
            _encodable(
                f"{option.label}: {option.description}" if option.description else option.label
            )
            for option in question.options
        ]
    return said


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
