"""How a run that pays ends where a provider fails, and which command is named next."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from rubric_engine.testing import Request, ScriptedServer
from tests.cli.paying import LEAVES, Paying, long, paying, runs

__all__ = ["paying"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("500", "resume {run}   asks again where there was no answer"),
        ("refusal", "resume {run} --retry-failed   asks again where an answer was no grade"),
        ("context_overflow", "grade SUBMISSION ... --context-window N   N tokens, "),
    ],
)
def test_what_is_named_next_is_what_can_help(paying: Paying, fault: str, words: str) -> None:
    with ScriptedServer(fault_where={"Thing 3": fault}) as server:
        done = paying(server.base_url, "--yes")
    assert done.code == 5
    (run,) = runs(paying)
    named = [line for line in done.out.splitlines() if line.startswith("next ")]
    of_leaves = [line for line in named if "monitor" not in line]
    assert [words.format(run=run.name[-6:]) in line for line in of_leaves] == [True, False]
    assert words.format(run=run.name[-6:]) in paying.command("runs", "list").out


def test_a_model_that_is_not_there_wants_another_name(paying: Paying) -> None:
    with ScriptedServer(faults={"404": 1.0}) as server:
        done = paying(server.base_url, "--yes")
    assert done.code == 7
    assert f"next    rubric-engine doctor --model small --base-url {server.base_url}   " in done.out
    assert "next    rubric-engine grade SUBMISSION ... --model NAME   " in done.out
    assert "rubric-engine resume" not in done.out


@pytest.mark.parametrize(
    ("lose", "code", "told"),
    [("ledger.sqlite", 9, "E917"), ("20*", 9, "E9"), ("no such", 0, "")],
)
def test_what_is_removed_under_a_run_makes_it_fail(
    paying: Paying, lose: str, code: int, told: str
) -> None:
    def removing(request: Request) -> None:
        if request.number == LEAVES:
            for path in (paying.folder / "here" / "runs").glob(lose):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    with ScriptedServer(answer=removing) as server:
        done = paying(server.base_url, "--json")
    assert done.code == code
    assert told in done.out + done.err


def test_one_leaf_that_always_fails_is_the_only_one_open(paying: Paying) -> None:
    with ScriptedServer(
        answer=long, fault_where={"CRITERION (Code Development): Thing 3": "500"}
    ) as server:
        done = paying(server.base_url, "--json")
    assert done.code == 5
    assert done.json["reasons"] == {"provider_error": 1}
    assert done.json["score"]["low"] == pytest.approx(5 / 6)
    assert done.json["score"]["high"] == 1.0
    grades = json.loads((runs(paying)[0] / "report.json").read_text())["grades"]
    assert [key for key, grade in grades.items() if grade.get("reason")] == ["leaf-3"]


def test_a_provider_that_is_down_stops_the_run(paying: Paying) -> None:
    done = paying("http://127.0.0.1:9/v1", "--json")
    assert done.code == 7
    assert done.json["stopped"]["exit_code"] == 7
    assert done.json["score"] == {"value": 0.0, "low": 0.0, "high": 1.0, "coverage": 0.0}


def test_a_rejected_key_stops_the_run(paying: Paying, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_KEY", "wrong")
    with ScriptedServer(api_key="right") as server:
        done = paying(server.base_url, "--json")
    assert done.code == 4
    assert "wrong" not in done.out.replace("wrong_", "")


def test_a_refusal_names_its_model_where_it_is_known_and_every_label_stands_once(
    paying: Paying,
) -> None:
    where = {"Thing 0": "refusal", "Thing 1": "content_filter", "Thing 2": "prompt_filter"}
    with ScriptedServer(fault_where=where) as server:
        paying(server.base_url, "--yes")
    for leaf in range(LEAVES):
        shown = paying.command("show", "latest", f"leaf-{leaf}")
        assert shown.out.count("\nwhy ") == 1
        asked = paying.command("show", "latest", f"leaf-{leaf}", "--prompt").out
        assert re.search(r"^    (of \S+, )?20\d\d-", asked, re.MULTILINE)


def test_where_calls_failed_the_command_that_asks_again_is_named(paying: Paying) -> None:
    with ScriptedServer(faults={"refusal": 1}) as server:
        done = paying(server.base_url, "--yes")
    assert done.code == 5
    assert "--retry-failed   asks again where an answer was no grade" in done.out
    (run,) = runs(paying)
    again = f"rubric-engine resume {run.name[-6:]} --retry-failed   "
    for words in (["show", "latest"], ["runs", "info", "latest"], ["runs", "list"]):
        assert again in paying.command(*words).out
    assert "done, 6 failed" in paying.command("runs", "list").out
    assert paying.command("runs", "list", "--json").json["runs"][0]["failed"] == LEAVES


@pytest.mark.parametrize(
    "words", [["show", "latest"], ["runs", "info", "latest"], ["runs", "list"]]
)
def test_the_command_that_goes_on_with_a_stopped_run_is_named(
    paying: Paying, words: list[str]
) -> None:
    with ScriptedServer() as server:
        assert paying(server.base_url, "--max-cost", "0.001", "-q").code == 6
    (run,) = runs(paying)
    shown = paying.command(*words).out
    again = rf"^next +rubric-engine resume {run.name[-6:]} --max-cost N   N from \$0.0\d+ on;"
    assert re.search(again, shown, re.MULTILINE)
    (run / "resume.json").unlink()
    assert "resume" not in paying.command(*words).out


def test_a_server_that_never_answers_ends_the_run_and_says_so(paying: Paying) -> None:
    with ScriptedServer(faults={"529": 1.0}) as server:
        done = paying(server.base_url)
        assert len(server.requests) < LEAVES
    assert done.code == 7
    assert "has not given one answer" in done.out
    assert "HTTP 529: Overloaded" in done.out
    assert re.search("next    rubric-engine resume [0-9a-f]{6}", done.out)
