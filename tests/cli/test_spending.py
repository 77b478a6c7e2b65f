"""`grade` with a judge that pays: whose word and whose key it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubric_engine.testing import Fault, Reply, Request, ScriptedServer
from tests.cli.conftest import Command, Outcome
from tests.cli.paying import LEAVES, Paying, paying, runs

__all__ = ["paying"]


@pytest.mark.parametrize("flags", [[], ["-q"], ["--json"]])
def test_without_a_terminal_much_money_needs_a_word(paying: Paying, flags: list[str]) -> None:
    with ScriptedServer() as server:
        done = paying(server.base_url, "--confirm-above", "0.001", *flags)
        assert len(server.requests) == 0
    assert done.code == 2
    assert "--yes" in done.out + done.err
    assert "--max-cost" in done.out + done.err
    assert runs(paying) == []


@pytest.mark.parametrize("flags", [["--yes"], ["--max-cost", "1"]])
def test_a_word_is_enough(paying: Paying, flags: list[str]) -> None:
    with ScriptedServer() as server:
        done = paying(server.base_url, "--confirm-above", "0.001", *flags)
        assert len(server.requests) == LEAVES
    assert done.code == 0
    assert re.search(r"estimate    6 calls   ~[\d.]+k tokens in, ~[\d.]+k out   \$0\.\d", done.err)
    assert re.search(r"cost    \$0\.00\d+   .* 6 calls \+ 0 replayed", done.out)


def test_an_answer_on_record_is_free_and_counted(paying: Paying) -> None:
    with ScriptedServer() as server:
        paying(server.base_url)
        done = paying(server.base_url, "--confirm-above", "0")
        assert len(server.requests) == LEAVES
    assert done.code == 0
    assert "0 calls + 6 on record" in done.err
    assert "cost    nothing   0 calls + 6 replayed" in done.out


def test_a_judge_that_was_named_needs_its_key(paying: Paying) -> None:
    done = paying("https://models.example.com/v1")
    assert done.code == 4
    assert "SMALL_KEY is not set" in done.err
    assert runs(paying) == []


def auto(command: Command, rubric: Path, submission: Path, *more: str) -> Outcome:
    return command("grade", submission, "--rubric", rubric, *more)


def test_auto_is_rules_alone_without_a_key_and_says_so(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = auto(command, rubric, submission)
    assert done.code == 0
    assert "judge       rules (no key for a model: OPENAI_API_KEY is not set)" in done.err
    quiet = auto(command, rubric, submission, "--sandbox", "none", "-q")
    assert quiet.err == ""
    assert re.search(
        r"^50\.0-100\.0%  \(.*\)  (monitor=\w+  )?judge=rules \(no key\)  runs/\S+\n$", quiet.out
    )
    named = auto(command, rubric, submission, "-q", "--judge", "rules")
    assert "judge=" not in named.out
    told = auto(command, rubric, submission, "--json").json["judge"]
    assert told == {"name": "rules", "why": "no key for a model: OPENAI_API_KEY is not set"}


def test_auto_asks_a_model_where_one_is_configured(
    command: Command, rubric: Path, submission: Path
) -> None:
    with ScriptedServer() as server:
        done = auto(command, rubric, submission, "--base-url", server.base_url, "--model", "small")
        assert len(server.requests) == 1  # the leaf that has no check
    assert done.code == 0
    assert "judge       auto " in done.err
    assert f"model       small at {server.base_url}" in done.err
    assert "cost    unpriced" in done.out


def test_a_model_that_was_named_is_not_passed_over_for_want_of_a_key(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = auto(command, rubric, submission, "--model", "gpt-5.6")
    assert (done.code, "OPENAI_API_KEY is not set" in done.err) == (4, True)


def test_a_slow_run_without_a_terminal_tells_how_it_goes(paying: Paying) -> None:
    slow = Fault("slow", delay=0.3)
    with ScriptedServer(fault_at=dict.fromkeys(range(1, LEAVES + 1), slow)) as server:
        done = paying(server.base_url, "--max-cost", "1")
    line = r"^\d\d:\d\d:\d\d grade \S+ \d/6 \d+% score=[\d.-]+% graded=\d+% .*cap=1.00"
    assert re.search(line, done.err, re.MULTILINE)
    with ScriptedServer() as server:
        assert paying(server.base_url, "--fresh", "--yes", "-q").err == ""


def test_an_address_with_a_key_in_it_is_refused_and_shown_nowhere(paying: Paying) -> None:
    done = paying("http://u:sk-secret99@127.0.0.1:9/v1", "--yes")
    assert done.code == 3
    assert "a key belongs in the variable" in done.err
    assert "secret99" not in done.out + done.err
    flag = paying(
        "http://127.0.0.1:9/v1", "--base-url", "http://u:sk-secret99@127.0.0.1:9/v1", "--yes"
    )
    assert flag.code == 2
    assert "--base-url" in flag.err
    assert "secret99" not in flag.out + flag.err


def test_a_key_that_a_server_repeats_is_written_nowhere(
    paying: Paying, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-live-0123456789abcdef"
    monkeypatch.setenv("SMALL_KEY", key)

    def answer(request: Request) -> Reply:
        said = {"expectations": key, "findings": f"f {key}", "citations": [], "searched": [key]}
        return Reply({**said, "met": True}, model=key)

    with ScriptedServer(answer=answer) as server:
        done = paying(server.base_url, "--yes", "--json")
    shown = paying.command("show", "latest", "leaf-0", "--prompt")
    assert done.code == 0
    written = b"".join(file.read_bytes() for file in paying.folder.rglob("*") if file.is_file())
    assert b"f ***" in written
    assert key not in done.out + done.err + shown.out + shown.err
    assert key.encode() not in written


def test_a_resume_wants_a_word_as_a_grading_does(
    paying: Paying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALL_KEY", "wrong")
    with ScriptedServer(api_key="right") as server:
        assert paying(server.base_url, "-q").code == 4
        monkeypatch.setenv("SMALL_KEY", "right")
        limit = ("resume", "--confirm-above", "0.001")
        for flags in ([], ["-q"], ["--json"]):
            refused = paying.command(*limit, *flags)
            assert (refused.code, "--max-cost" in refused.out + refused.err) == (2, True)
        assert len(server.requests) == 0
        done = paying.command(*limit, "--max-cost", "1")
        assert paying.command("resume", "latest", "--confirm-above", "0", "-q").code == 0
        assert len(server.requests) == LEAVES
    assert done.code == 0
    assert "0 leaves kept, 6 to do" in done.err
    assert re.search(r"estimate    6 calls   ~[\d.]+k tokens in", done.err)
