"""The client of decision models, and what it makes of anything that a server may say."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.decision import Answer, Option, Question, RequestLimits, Transport
from rubric_engine.errors import CredentialsError
from rubric_engine.model import Message, ModelConfig, Usage
from rubric_engine.models import DecisionClient, FreeMeter
from rubric_engine.models.decision_answers import read_decided
from rubric_engine.models.faults import AttemptFault
from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.wire import HttpRequest, HttpResponse
from tests.models.answers import saying

INPUT = [Message(role="system", content="decide"), Message(role="user", content="\ud800 text")]
LEVELS = (Option(label="no"), Option(label="half", description="partly"), Option(label="yes"))
QUESTIONS = [
    Question(key="a", text="it is blue"),
    Question(key="b", text="how far", kind="score", options=LEVELS),
    Question(key="c", text="which", kind="choice", options=LEVELS[:2]),
]


def decided(server: ScriptedServer, transport: Transport = "openai") -> list[Answer]:
    config = ModelConfig(name="some", base_url=server.base_url, key_env="SOME_KEY", max_wait=0)

    async def go() -> list[Answer]:
        limits = RequestLimits(transport=transport)
        async with DecisionClient(config, limits, meter=FreeMeter()) as client:
            return await client.decide(INPUT, QUESTIONS)

    return asyncio.run(go())


@pytest.mark.usefixtures("transport")
@pytest.mark.parametrize("protocol", ["openai", "system-one"])
def test_each_kind_of_question_is_answered(protocol: Transport) -> None:
    with ScriptedServer(probabilities={"blue": 0.25, "far": 0.5, "which": 0.75}) as server:
        predicate, score, choice = decided(server, protocol)
        counted = server.stats()
    assert (predicate.probability, predicate.value) == (0.25, 0)
    assert (score.distribution, score.value) == ((0.25, 0.25, 0.5), 2)
    assert (choice.distribution, choice.value) == ((0.25, 0.75), 1)
    used = [answer.usage for answer in (predicate, score, choice)]
    assert sum(usage.input_tokens for usage in used if usage) == counted.prompt_tokens


@pytest.mark.usefixtures("transport")
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
@pytest.mark.parametrize("protocol", ["openai", "system-one"])
def test_a_number_longer_than_python_reads_is_one_questions_loss(
    protocol: Transport, kind: str
) -> None:
    def respond(request: HttpRequest) -> HttpResponse:
        bodies.append(request.body)
        said = [
            {"name": "q1", "type": "predicate", "probability": 0.25},
            {"name": "q2", "type": "predicate", "probability": 12345},
        ]
        answers = {"q1": {"type": "noul", "noul": 0.25}, "q2": {"type": "noul", "noul": 12345}}
        body = json.dumps({"answers": said if protocol == "openai" else answers})
        long = body.replace("12345", "9" * 5000)
        return HttpResponse(200, long.encode(), (("Content-Type", kind),))

    async def go() -> list[Answer]:
        asked = [Question(key="a", text="it is blue"), Question(key="b", text="it is red")]
        async with saying(respond) as config:
            limits = RequestLimits(transport=protocol)
            patient = config.model_copy(update={"max_wait": 60.0})
            async with DecisionClient(patient, limits, meter=FreeMeter()) as client:
                return await client.decide(INPUT, asked)

    bodies: list[bytes] = []
    first, second = asyncio.run(go())
    assert (first.probability, second.flaw) == (0.25, "unparseable")
    assert len(bodies) == 1


def test_a_key_that_is_rejected_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-decisions-secret-1234"
    monkeypatch.setenv("SOME_KEY", key)
    with ScriptedServer(api_key="another") as server, pytest.raises(CredentialsError) as caught:
        decided(server)
    assert key not in str(caught.value)


@given(st.integers(0, 10**9), st.integers(1, 500))
def test_shares_add_up(tokens: int, by: int) -> None:
    parts = [share.input_tokens for share in Usage(input_tokens=tokens).shares(by)]
    assert (sum(parts), len(parts)) == (tokens, by)
    assert max(parts) - min(parts) <= 1


NUMBERS = st.one_of(st.floats(), st.integers(-1, 2), st.text(max_size=3), st.none(), st.booleans())
LABELS = st.sampled_from(["no", "half", "yes", "0", "1", "2", 1, None])
ROWS = st.lists(st.fixed_dictionaries({"label": LABELS, "probability": NUMBERS}), max_size=4)
PAIRS = st.dictionaries(st.sampled_from(["no", "half", "yes", "0", "1", "2"]), NUMBERS)
SAID = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["predicate", "noul", "score", "choice", "refusal", "?", 3, []]),
        "name": st.sampled_from(["q1", "q2", "q3", "q4", None, 1, []]),
        "probability": NUMBERS,
        "noul": NUMBERS,
        "probabilities": st.one_of(ROWS, PAIRS, NUMBERS),
        "refusal": NUMBERS,
    },
)
ANYTHING = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
ANSWERS = st.one_of(
    ANYTHING,
    st.lists(st.one_of(SAID, ANYTHING), max_size=4),
    st.dictionaries(st.sampled_from(["q1", "q2", "q3", "x"]), st.one_of(SAID, ANYTHING)),
)


@given(
    st.sampled_from(["openai", "system-one"]),
    st.one_of(
        ANYTHING,
        st.fixed_dictionaries(
            {"answers": ANSWERS}, optional={"usage": ANYTHING, "error": ANYTHING, "model": NUMBERS}
        ),
    ),
)
def test_whatever_a_server_says_each_question_has_an_answer_or_a_flaw(
    transport: Transport, body: Any
) -> None:
    try:
        found = read_decided(transport, body, {"model": "some"}, QUESTIONS)
    except AttemptFault:
        return
    assert len(found.answers) == 3
    for question, answer in zip(QUESTIONS, found.answers, strict=True):
        if answer.flaw is None:
            assert (answer.probability is not None) == (question.kind == "predicate")
            assert len(answer.distribution) == len(question.options)
            if answer.distribution:
                assert math.fsum(answer.distribution) == pytest.approx(1)
