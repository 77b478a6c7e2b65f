"""Which request gets which answer, or which fault."""

from __future__ import annotations

import pytest

from rubric_engine.errors import UsageError
from rubric_engine.testing import Fault, Reply, Request, ScriptedServer
from tests.testing.client import ask, chat_body, send


def statuses(server: ScriptedServer, count: int, text: str = "met? {}") -> list[int]:
    return [ask(server, text.format(number)).status for number in range(1, count + 1)]


def test_faults_by_number() -> None:
    with ScriptedServer(fault_at={2: "500", 3: Fault("429_bare")}) as server:
        assert statuses(server, 4) == [200, 500, 429, 200]


def test_faults_by_a_text_of_the_prompt_always_or_some_times() -> None:
    where: dict[str, Fault | str] = {"leaf a": "500", "leaf b": Fault("503", times=2)}
    with ScriptedServer(fault_where=where) as server:
        assert statuses(server, 3, "leaf a") == [500, 500, 500]
        assert statuses(server, 4, "leaf b") == [503, 503, 200, 200]
        assert statuses(server, 1, "leaf c") == [200]


def test_faults_by_rate_follow_from_seed_and_number() -> None:
    def run(seed: int) -> list[int]:
        with ScriptedServer(faults={"500": 0.2, "429": 0.2}, seed=seed) as server:
            return statuses(server, 60)

    first = run(1)
    assert first == run(1) != run(2)
    assert {200, 429, 500} == set(first)
    assert 12 < sum(status != 200 for status in first) < 36


@pytest.mark.parametrize(
    ("said", "text"),
    [({"met": True}, '{"met": true}'), ("Score: 1", "Score: 1"), (Reply("plain"), "plain")],
)
def test_an_answer_of_ones_own(said: Reply | dict[str, bool] | str, text: str) -> None:
    with ScriptedServer(answer=lambda request: said) as server:
        assert ask(server, "met?").text == text


def test_an_answer_may_be_a_fault_or_left_open() -> None:
    def answer(request: Request) -> Fault | Reply | None:
        faults = {"one": Fault("500"), "two": Fault("empty")}
        return faults.get(request.question)

    with ScriptedServer(answer=answer) as server:
        assert ask(server, "one").status == 500
        assert ask(server, "two").text == ""
        assert ask(server, "three").data["citations"] == [{"path": "scripted", "line": 1}]


def test_an_answer_sees_how_often_it_was_asked() -> None:
    with ScriptedServer(answer=lambda request: f"{request.number} {request.attempt}") as server:
        texts = [ask(server, text).text for text in ("a", "b", "a")]
    assert texts == ["1 1", "2 1", "3 2"]


def test_verdicts_go_by_what_the_prompt_asks_last() -> None:
    verdicts = {"leaf a": True, "leaf b": False}
    with ScriptedServer(verdicts=verdicts) as server:
        assert ask(server, "leaf b is above", "leaf a").data["met"] is True
        assert ask(server, "files", "context: leaf a. Now leaf b?").data["met"] is False
        assert ask(server, "leaf b is all there is", "met?").data["score"] == 0


def test_a_schema_in_the_prompt_serves_where_none_is_sent_beside_it() -> None:
    schema = '{"type": "object", "properties": {"met": {"type": "boolean"}}}'
    shown = f"In the code: {{x}} {{\nFollow this schema:\n{schema}\nOnly JSON."
    mode = {"type": "json_object"}
    with ScriptedServer(verdicts={"leaf": True}) as server:
        seen = ask(server, shown, "leaf", schema=None, response_format=mode)
        assert seen.data == {"met": True}
        assert ask(server, "leaf", schema=None).text == "scripted"
        plain = ask(server, "leaf", schema=None, response_format=mode)
        assert plain.data == {"answer": "scripted"}


def test_a_repair_gets_the_verdict_of_its_question() -> None:
    with ScriptedServer() as server:
        first = ask(server, "files", "leaf 7").data["met"]
        body = chat_body("files", "leaf 7")
        for turn in range(5):
            said = {"role": "assistant", "content": f"Score: {turn}"}
            body["messages"] = [*body["messages"], said, {"role": "user", "content": "As JSON!"}]
            assert send(server, "POST", "/v1/chat/completions", body).data["met"] == first


def test_an_answer_stops_at_the_output_limit() -> None:
    with ScriptedServer(answer=lambda request: "x" * 100) as server:
        seen = ask(server, "met?", max_completion_tokens=5)
    assert (len(seen.text), seen.choice["finish_reason"]) == (20, "length")
    assert seen.body["usage"]["completion_tokens"] == 5


def test_replies_say_what_they_cost_and_who_answered() -> None:
    reply = Reply("yes", model="m-2026", reasoning="r" * 40, billed=2.0)
    with ScriptedServer(answer=lambda request: reply) as server:
        body = ask(server, "x" * 72).body  # "<|user|>" before it is 8 characters
    assert body["model"] == "m-2026"
    assert body["usage"]["prompt_tokens"] == 40
    assert body["usage"]["completion_tokens"] == 2 * (10 + 1)
    assert body["usage"]["completion_tokens_details"] == {"reasoning_tokens": 10}


def test_an_error_of_the_script_is_raised_where_the_server_stops() -> None:
    def answer(request: Request) -> str:
        raise ZeroDivisionError

    server = ScriptedServer(answer=answer)
    with pytest.raises(ZeroDivisionError), server, pytest.raises(ConnectionError):
        ask(server, "met?")


def test_a_vendor_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match="olama"):
        ScriptedServer(vendor="olama")
