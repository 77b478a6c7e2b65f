"""The scripted server as a decision model's: what it says fits the vendor's own types."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import openai
import pytest
from openai.types import Decision

from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.faults import OF_CHAT
from rubric_engine.testing.values import FAULT_KINDS, FaultKind

QUESTIONS: list[dict[str, Any]] = [
    {"type": "predicate", "name": "a", "instructions": "it is blue"},
    {"type": "choice", "instructions": "which", "choices": [{"value": "x"}, {"value": "y"}]},
    {"type": "score", "instructions": "how far", "levels": [{"label": "no"}, {"label": "yes"}]},
]


def ask(server: ScriptedServer, **more: Any) -> Decision:
    with openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0) as client:
        asked: Any = QUESTIONS
        return client.decisions.create(model="some", input="the sky", questions=asked, **more)


def test_the_vendors_sdk_reads_what_it_says() -> None:
    with ScriptedServer(probabilities={"blue": 0.25, "far": 0.75}) as server:
        decision = ask(server)
        assert server.questions == {"it is blue": 1, "which": 1, "how far": 1}
        counted = server.stats()
    Decision.model_validate(decision.to_dict(mode="json"), strict=True)
    predicate, choice, score = decision.answers
    assert (predicate.type, choice.type, score.type) == ("predicate", "choice", "score")
    assert predicate.type == "predicate"
    assert (predicate.name, predicate.probability) == ("a", 0.25)
    assert score.type == "score"
    assert score.score == 0.75
    assert decision.usage.input_tokens == counted.prompt_tokens
    assert decision.usage.output_tokens == counted.completion_tokens == 3


def raw(server: ScriptedServer) -> bytes:
    """What comes back on the wire, as far as it comes."""
    body = {"model": "m", "input": "the sky", "questions": QUESTIONS}
    with urlopen(Request(f"{server.base_url}/decisions", json.dumps(body).encode())) as answer:
        return bytes(answer.read())


@pytest.mark.parametrize("kind", sorted({*FAULT_KINDS} - {"slow"}))
def test_faults_of_chat_leave_decisions_alone_and_others_do_not(kind: FaultKind) -> None:
    with ScriptedServer() as plain, ScriptedServer(faults={kind: 1.0}) as faulty:
        usual = raw(plain)
        try:
            alike = raw(faulty) == usual
        except (OSError, HTTPException):
            alike = False
    assert alike == (kind in OF_CHAT)


def test_a_request_beyond_its_limit_is_refused() -> None:
    with ScriptedServer(most_questions=2) as server, pytest.raises(openai.BadRequestError):
        ask(server)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("decisions", {"model": "m", "input": "x", "questions": []}),
        ("decisions", {"model": "m", "questions": QUESTIONS}),
        ("systemone", {"state": "x", "questions": {"q": {"type": "riddle"}}}),
        ("systemone", {"state": "x", "questions": QUESTIONS}),
    ],
)
def test_what_asks_nothing_that_can_be_read_is_refused(path: str, body: dict[str, Any]) -> None:
    with ScriptedServer() as server:
        sent = Request(f"{server.base_url}/{path}", json.dumps(body).encode())
        with pytest.raises(HTTPError) as caught:
            urlopen(sent)
        caught.value.close()
        assert caught.value.code == 400
        assert server.stats().requests == 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("decisions", [{"type": "score", "instructions": "i", "levels": [{"label": "no"}]}]),
        ("decisions", [{"type": "choice", "instructions": "i", "choices": []}]),
        ("systemone", {"a": {"type": "score", "instructions": "i", "criteria": ["no"]}}),
    ],
)
def test_a_question_with_nothing_to_decide_is_refused(path: str, body: Any) -> None:
    with ScriptedServer() as server:
        said = {"model": "m", "input": "x", "state": "x", "questions": body}
        sent = Request(f"{server.base_url}/{path}", json.dumps(said).encode())
        with pytest.raises(HTTPError) as caught:
            urlopen(sent)
        with caught.value as refused:
            assert "question 1" in refused.read().decode()
        assert refused.code == 422


def test_system_one_answers_by_name() -> None:
    questions = {
        "a": {"type": "noul", "instructions": "it is blue"},
        "b": {"type": "score", "instructions": "how far", "criteria": ["no", "half", "yes"]},
    }
    with ScriptedServer(probabilities={"blue": 0.25, "far": 0.5}) as server:
        body = json.dumps({"state": {"sky": "blue"}, "questions": questions}).encode()
        with urlopen(Request(f"{server.base_url}/systemone", body)) as response:
            said = json.load(response)
    assert said["answers"]["a"] == {"type": "noul", "noul": 0.25}
    assert said["answers"]["b"]["probabilities"] == {"0": 0.25, "1": 0.25, "2": 0.5}
