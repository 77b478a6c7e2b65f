"""`--max-wait` and `--max-connections`: how a model is asked, and nothing of what it sees."""

from __future__ import annotations

import re

import pytest

from rubric_engine.judge import JudgeCard
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import LEAVES, Paying, paying

__all__ = ["paying"]

PACED = ("--max-wait", "90s", "--max-connections", "1")
SAID = "1 at once, waits up to 90 s"


def judge_line(err: str) -> str:
    return next(line for line in err.splitlines() if line.startswith("judge "))


def test_neither_changes_the_fingerprint_or_what_is_asked(paying: Paying) -> None:
    with ScriptedServer() as server:
        plain = paying(server.base_url)
        paced = paying(server.base_url, *PACED)
        assert len(server.requests) == LEAVES
        dry = paying(server.base_url, *PACED, "--dry-run")
    assert (plain.code, paced.code, dry.code) == (0, 0, 0)
    assert "2 at once, waits up to 0 s" in plain.err
    assert SAID in paced.err
    assert SAID in dry.err
    assert judge_line(plain.err) == judge_line(paced.err) == judge_line(dry.err)


def test_a_call_is_waited_for_as_long_as_the_flag_says(paying: Paying) -> None:
    def answer(request: Request) -> Fault | None:
        return Fault("500") if request.number in (3, 4) else None

    for flags, code in ((), 5), (PACED, 0):
        with ScriptedServer(answer=answer) as server:
            assert paying(server.base_url, "--fresh", "-q", *flags).code == code


def test_a_resume_keeps_them(paying: Paying, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: Request) -> Fault | None:
        return Fault("500") if request.number in (3, 4) else None

    monkeypatch.setenv("SMALL_KEY", "wrong")
    with ScriptedServer(answer=answer, api_key="right") as server:
        assert paying(server.base_url, "-q", *PACED).code == 4
        monkeypatch.setenv("SMALL_KEY", "right")
        assert paying.command("resume", "-q").code == 0
        assert len(server.requests) == LEAVES + 2


def test_auto_is_still_rules_alone_without_a_key(
    command: Command, rubric: object, submission: object
) -> None:
    done = command("grade", str(submission), "--rubric", str(rubric), *PACED)
    assert done.code == 0
    assert "judge       rules (no key for a model: OPENAI_API_KEY is not set)" in done.err


@pytest.mark.parametrize(
    "flags", [("--max-wait", "soon"), ("--max-wait", "-1"), ("--max-connections", "0")]
)
def test_what_is_no_amount_is_refused(paying: Paying, flags: tuple[str, str]) -> None:
    done = paying("http://localhost:1/v1", *flags)
    assert done.code == 2
    assert re.search(flags[0], done.err)


def test_the_fingerprint_covers_what_the_model_sees_and_not_its_pace() -> None:
    def mark(**model: object) -> str:
        return JudgeCard.model_validate({"kind": "simple", "model": model}).fingerprint

    assert mark(name="m", max_wait=1, timeout=2, max_connections=3) == mark(name="m")
    assert mark(name="m", temperature=0) != mark(name="m")
