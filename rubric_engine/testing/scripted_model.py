"""A chat model without a network."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from rubric_engine.errors import RubricEngineError, UsageError
from rubric_engine.model import Completion, Message, ModelConfig, ModelFault, Unparseable, Usage
from rubric_engine.testing.answers import last_match
from rubric_engine.testing.completion import count_tokens
from rubric_engine.testing.instances import instance

ModelAnswer = Completion | ModelFault | RubricEngineError | Mapping[str, Any] | bool | str | None


@dataclass(frozen=True)
class ModelCall:
    """One call of a `ScriptedModel`.

    Attributes:
        number: Its place in the order of calls, from 1.
        messages: The prompt.
        schema: What the answer must follow.
        sample: Number of the repetition.
    """

    number: int
    messages: tuple[Message, ...]
    schema: type[BaseModel] | None
    sample: int


class ScriptedModel:
    """Answers as it was told; without being told, plausibly by the schema.

    An answer is a completion, an error to raise, a mapping or text that the schema must fit (as of
    any model, `Unparseable` otherwise), a verdict for the plausible answer that says it, or None
    for any plausible one.

    Args:
        answers: One for each call in turn; or by a text that the prompt holds (the one that ends
            last decides); or a function of the call.
        config: What the model says of itself.

    Attributes:
        calls: The calls so far.

    Example:
        >>> import asyncio
        >>> model = ScriptedModel(["yes"])
        >>> asyncio.run(model.complete([Message(role="user", content="?")], schema=None)).text
        'yes'
    """

    def __init__(
        self,
        answers: Sequence[ModelAnswer]
        | Mapping[str, ModelAnswer]
        | Callable[[ModelCall], ModelAnswer]
        | None = None,
        *,
        config: ModelConfig | None = None,
    ) -> None:
        self.config = config or ModelConfig(name="scripted", base_url="http://localhost/v1")
        self.calls: list[ModelCall] = []
        self._answers = answers

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Answer; see `rubric_engine.model.ChatModel`."""
        call = ModelCall(len(self.calls) + 1, tuple(messages), schema, sample)
        self.calls.append(call)
        answer = self._answer(call)
        if isinstance(answer, ModelFault | RubricEngineError):
            raise copy.copy(answer)  # raised twice, one object would gather two tracebacks
        if isinstance(answer, Completion):
            return answer
        return self._completion(call, answer)

    def _answer(self, call: ModelCall) -> ModelAnswer:
        answers = self._answers
        if answers is None:
            return None
        if callable(answers):
            return answers(call)
        if isinstance(answers, Mapping):
            found = {text: (answer,) for text, answer in answers.items()}
            contents = [message.content for message in call.messages]
            match: tuple[ModelAnswer, ...] | None = last_match(
                found, *contents[-1:], "".join(contents)
            )
        else:
            match = tuple(answers[call.number - 1 : call.number]) or None
        if match is None:
            raise UsageError(f"the script has no answer for call {call.number}")
        return match[0]

    def _completion(
        self, call: ModelCall, answer: Mapping[str, Any] | bool | str | None
    ) -> Completion:
        said = _plausible(call, answer) if answer is None or isinstance(answer, bool) else answer
        text = said if isinstance(said, str) else json.dumps(said)
        read = sum(count_tokens(message.content) for message in call.messages)
        usage = Usage(input_tokens=read, output_tokens=count_tokens(text))
        return Completion(
            text=text,
            data=_data(call.schema, text, usage),
            usage=usage,
            requested_model=self.config.name,
            answered_model=self.config.name,
        )


def _plausible(call: ModelCall, verdict: bool | None) -> Mapping[str, Any] | str:
    if call.schema is None:
        return "scripted"
    key = call.messages[-1].content if call.messages else ""
    said: Mapping[str, Any] = instance(call.schema.model_json_schema(), key, verdict)
    return said


def _data(schema: type[BaseModel] | None, text: str, usage: Usage) -> dict[str, Any] | None:
    if schema is None:
        return None
    try:
        return schema.model_validate_json(text, strict=True).model_dump(mode="json")
    except ValidationError as error:
        raise Unparseable(str(error), usage=usage, text=text) from error
