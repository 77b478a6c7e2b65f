"""`doctor`: what it says of keys, endpoints and models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import ROOT, Command


def found(command: Command, *flags: str) -> dict[str, dict[str, str]]:
    """What it looked at, by its words."""
    checks: list[dict[str, Any]] = command("doctor", "--json", *flags).json["checks"]
    return {check["what"]: check for check in checks}


def test_without_a_key_rules_alone_would_grade(command: Command) -> None:
    done = command("doctor")
    assert done.code == 0
    assert "warn  OPENAI_API_KEY is not set" in done.out
    assert "fix: export OPENAI_API_KEY=..." in done.out
    assert "gpt-5.6 at https://api.openai.com/v1" in done.out
    assert "--judge auto would be rules alone: no key" in done.out


def test_a_key_is_named_and_never_shown(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    done = command("doctor")
    assert "ok    OPENAI_API_KEY is set" in done.out
    assert "--judge auto would be rules, and gpt-5.6 for leaves without checks" in done.out
    assert "warn  OPENAI_BASE_URL is set, and is not read" in done.out
    assert "secret" not in done.out + done.err


@pytest.mark.parametrize(
    ("models", "name", "state", "words"),
    [
        (("one", "two"), "two", "ok", "answers, and lists two"),
        (("one", "two"), "tow", "warn", "answers, and does not list 'tow'"),
        (("one\x1b[2J",), "two", "warn", "answers, and does not list 'two'"),
    ],
)
def test_an_endpoint_is_asked_for_its_models_on_request(
    command: Command, models: tuple[str, ...], name: str, state: str, words: str
) -> None:
    with ScriptedServer(models=models) as server:
        flags = ("--model", name, "--base-url", server.base_url)
        checks = found(command, *flags)
        assert "\x1b" not in command("doctor", *flags).out
        assert len(server.requests) == 0
    (told,) = (what for what in checks if what.startswith(f"{server.base_url} {words}"))
    assert checks[told]["state"] == state


def test_an_endpoint_that_is_not_there_or_rejects_the_key_fails(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = command("doctor", "--base-url", "http://127.0.0.1:9/v1")
    assert (done.code, "fail  cannot reach http://127.0.0.1:9/v1" in done.out) == (1, True)
    with ScriptedServer(api_key="right") as server:
        missing = command("doctor", "--base-url", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "wrong-secret")
        done = command("doctor", "--base-url", server.base_url)
    assert "(HTTP 401), and OPENAI_API_KEY is not set   fix: export OPENAI_API_KEY=..." in (
        missing.out
    )
    assert (done.code, "rejected the key in OPENAI_API_KEY" in done.out) == (1, True)
    assert "wrong-secret" not in done.out


@pytest.mark.parametrize(
    ("key", "words"), [("", "OPENAI_API_KEY is not set"), ("a b", "characters that no key has")]
)
def test_a_model_without_a_usable_key_fails_and_nothing_is_sent(
    command: Command, monkeypatch: pytest.MonkeyPatch, key: str, words: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    failed = [each for each in found(command, "--model", "m").values() if each["state"] == "fail"]
    assert [words in each["what"] for each in failed] == [True]


def test_a_package_below_the_current_folder_is_found(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = command("doctor")
    assert "did you mean" not in done.out
    assert "--judge auto would be rules alone: no key" in done.out


def test_no_card_of_the_current_folder_is_run(command: Command) -> None:
    folder = Path("judges") / "auto"
    folder.mkdir(parents=True)
    (folder / "judge.yaml").write_text("judge: 1\nkind: evil:Judge\n")
    Path("evil.py").write_text("raise SystemExit(99)\n")
    assert command("doctor").code == 0
