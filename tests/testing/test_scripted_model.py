"""A model without a network: says what it was told, and notes what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from pydantic import BaseModel

from rubric_engine.errors import CredentialsError, UsageError
from rubric_engine.model import ChatModel, Completion, Message, Refused, Unparseable
from rubric_engine.testing import ScriptedModel


class Verdict(BaseModel):
    found: str
    met: bool


def ask(
    model: ScriptedModel, *contents: str, schema: type[BaseModel] | None = Verdict
) -> Completion:
    messages = [Message(role="user", content=text) for text in contents]
    return asyncio.run(model.complete(messages, schema=schema, sample=3))


def test_it_is_a_chat_model() -> None:
    assert isinstance(ScriptedModel(), ChatModel)


def test_left_alone_it_answers_plausibly_and_the_same() -> None:
    first, second = (ask(ScriptedModel(), "leaf 1").data for _ in range(2))
    assert first == second
    assert first is not None
    assert Verdict.model_validate(first).found == "scripted"


def test_answers_in_turn() -> None:
    said = Completion(text="as it is")
    model = ScriptedModel([{"found": "x", "met": True}, '{"found": "y", "met": false}', said])
    assert ask(model, "a").data == {"found": "x", "met": True}
    assert ask(model, "b").data == {"found": "y", "met": False}
    assert ask(model, "c") is said
    with pytest.raises(UsageError, match="call 4"):
        ask(model, "d")
    assert [call.messages[0].content for call in model.calls] == ["a", "b", "c", "d"]
    assert {call.sample for call in model.calls} == {3}


def test_answers_by_what_is_asked_last() -> None:
    yes, no = {"found": "", "met": True}, {"found": "", "met": False}
    model = ScriptedModel({"leaf a": yes, "leaf b": no, "leaf c": None})
    assert ask(model, "leaf b", "leaf a").data == yes
    assert ask(model, "leaf a, then leaf b").data == no
    assert ask(model, "leaf c").data is not None
    with pytest.raises(UsageError):
        ask(model, "leaf d")


def test_verdicts() -> None:
    model = ScriptedModel({"leaf a": True, "leaf b": False})
    assert ask(model, "leaf a").data == {"found": "scripted", "met": True}
    assert ask(model, "leaf b").data == {"found": "scripted", "met": False}


def test_answers_by_a_function() -> None:
    model = ScriptedModel(lambda call: f"{call.number} {call.messages[-1].content}")
    completion = ask(model, "x" * 40, schema=None)
    assert (completion.text, completion.data) == ("1 " + "x" * 40, None)
    assert completion.usage is not None
    assert completion.usage.input_tokens == 10


@pytest.mark.parametrize("error", [Refused("no", text="never"), CredentialsError("no key")])
def test_errors_are_raised_each_time(error: Refused | CredentialsError) -> None:
    model = ScriptedModel(lambda call: error)
    for _ in range(2):
        with pytest.raises(type(error)) as raised:
            ask(model, "a")
        assert raised.value is not error
        assert vars(raised.value) == vars(error)


@pytest.mark.parametrize("answer", ["no JSON", {"found": "x", "met": "true"}, {"met": True}])
def test_what_does_not_fit_the_schema(answer: str | Mapping[str, object]) -> None:
    answers: Sequence[str | Mapping[str, object]] = [answer]
    with pytest.raises(Unparseable) as raised:
        ask(ScriptedModel(answers), "a")
    assert raised.value.text
    assert raised.value.usage is not None
