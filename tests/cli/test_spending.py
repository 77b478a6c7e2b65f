"""`grade` with a judge that pays: the price before, the caps, and how a run ends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rubric_engine.connection import LEDGER
from rubric_engine.ledger import Ledger
from rubric_engine.testing import Fault, Reply, Request, ScriptedServer
from tests.cli.conftest import Command, Outcome
from tests.cli.paying import LEAVES, Paying, paying

__all__ = ["paying"]


LONG = {
    "expectations": "it is there",
    "findings": "word " * 600,
    "citations": [],
    "searched": [],
    "met": True,
}
"""An answer whose length costs most of what is reserved for it."""


def long(_: object) -> dict[str, object]:
    return LONG


def runs(paying: Paying) -> list[Path]:
    return sorted((paying.folder / "here" / "runs").glob("20*"))


def test_a_dry_run_prices_and_sends_nothing(paying: Paying) -> None:
    with ScriptedServer() as server:
        done = paying(server.base_url, "--dry-run")
        assert len(server.requests) == 0
    assert done.code == 0
    assert re.search(r"Code Development +6 +[\d,]+ +[\d.]+% +4,800 ", done.out)
    assert re.search(r"\$0\.0\d-\$0\.0\d +100\.0", done.out)
    assert done.out.endswith("Nothing was sent.\n")
    assert not (paying.folder / "here" / "runs").exists()


def test_what_is_priced_is_what_a_run_sends(paying: Paying) -> None:
    with ScriptedServer() as server:
        before = paying(server.base_url, "--dry-run", "--json").json
        spent = paying(server.base_url, "--json").json["cost"]
        after = paying(server.base_url, "--dry-run", "--json").json
    assert (before["calls"], before["replayed"]) == (LEAVES, 0)
    assert (after["calls"], after["replayed"]) == (0, LEAVES)
    assert after["usd"] == {"low": 0.0, "high": 0.0}
    assert spent["usd"] < before["usd"]["high"]
    foreseen = before["models"][0]["total"]["input_tokens"]
    assert spent["input_tokens"] <= foreseen <= 3 * spent["input_tokens"]  # the schema counts, too


def test_a_dry_run_counts_what_a_fresh_run_would_ask_again(paying: Paying) -> None:
    with ScriptedServer() as server:
        paying(server.base_url, "-q")
        assert paying(server.base_url, "--dry-run", "--fresh", "--json").json["calls"] == LEAVES


def test_an_overflow_that_was_shortened_is_paid_for(paying: Paying) -> None:
    (paying.submission / "big.py").write_text("x = 1\n" * 2_000)
    with ScriptedServer(context_tokens=4_500) as server:
        paying(server.base_url, "-q")
        asked = len(server.requests)
        assert paying(server.base_url, "--dry-run", "--json").json["calls"] == 0
        paying(server.base_url, "-q")
        assert len(server.requests) == asked > LEAVES


def test_a_cascade_prices_only_what_rules_leave(
    command: Command, rubric: Path, submission: Path
) -> None:
    arguments = ("grade", submission, "--rubric", rubric, "--judge", "auto", "--dry-run", "--json")
    found = command(*arguments).json
    assert (found["calls"], found["waiting"]["leaves"]) == (1, 1)
    assert command(*arguments, "--sandbox", "local").json["waiting"]["leaves"] == 0


def test_no_price_is_a_word_and_never_nothing(
    command: Command, rubric: Path, submission: Path
) -> None:
    url = "http://127.0.0.1:9/v1"
    arguments = ("grade", submission, "--rubric", rubric, "--base-url", url, "--dry-run")
    done = command(*arguments)
    assert "unpriced" in done.out
    assert "$" not in done.out
    assert command(*arguments, "--json").json["usd"] == {"low": None, "high": None}


def test_rules_cost_nothing(command: Command, rubric: Path, submission: Path) -> None:
    done = command("grade", submission, "--rubric", rubric, "--judge", "rules", "--dry-run")
    assert "asks no model" in done.out


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
    assert re.search(r"cost    <\$0\.01   .* 6 calls \+ 0 replayed", done.out)


def test_an_answer_on_record_is_free_and_counted(paying: Paying) -> None:
    with ScriptedServer() as server:
        paying(server.base_url)
        done = paying(server.base_url, "--confirm-above", "0")
        assert len(server.requests) == LEAVES
    assert done.code == 0
    assert "0 calls + 6 on record" in done.err
    assert "cost    nothing   0 calls + 6 replayed" in done.out


def test_a_cap_holds_and_the_run_says_how_to_go_on(paying: Paying) -> None:
    with ScriptedServer(answer=long) as server:
        done = paying(server.base_url, "--max-cost", "0.03", "--json")
        asked = len(server.requests)
    assert 0 < asked < LEAVES
    assert (done.code, done.json["stopped"]["exit_code"]) == (6, 6)
    assert 0.01 < done.json["cost"]["usd"] <= 0.03
    assert done.json["reasons"] == {"budget": LEAVES - asked}
    with ScriptedServer() as server:
        plain = paying(server.base_url, "--max-cost", "0.001")
    assert plain.code == 6
    assert re.search("next    rubric-engine resume [0-9a-f]{6}", plain.out)


def test_a_server_that_bills_more_stops_the_run_and_the_excess_is_named(paying: Paying) -> None:
    with ScriptedServer(answer=long, fault_at={1: "overbilled"}) as server:
        done = paying(server.base_url, "--max-cost", "5")
        assert len(server.requests) == 1
    assert done.code == 6
    assert re.search(r"excess  the server billed [\d,]+ tokens \(<?\$\d", done.out)
    assert "billed" in done.out
    report = json.loads((runs(paying)[0] / "report.json").read_text())
    assert report["cost"]["excess_tokens"] > 0
    assert report["stopped"]["code"] == "E602"


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


def test_a_judge_that_was_named_needs_its_key(paying: Paying) -> None:
    done = paying("https://models.example.com/v1")
    assert done.code == 4
    assert "SMALL_KEY is not set" in done.err
    assert runs(paying) == []


def test_no_key_is_needed_to_know_the_price(paying: Paying) -> None:
    assert paying("https://models.example.com/v1", "--dry-run").code == 0


def auto(command: Command, rubric: Path, submission: Path, *more: str) -> Outcome:
    return command("grade", submission, "--rubric", rubric, *more)


def test_auto_is_rules_alone_without_a_key_and_says_so(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = auto(command, rubric, submission)
    assert done.code == 0
    assert "judge       rules (no key for a model: OPENAI_API_KEY is not set)" in done.err
    assert auto(command, rubric, submission, "-q").err == ""


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


def test_every_cent_is_on_record_and_under_the_cap(paying: Paying) -> None:
    cap = 0.03
    with ScriptedServer(answer=long, faults={"500": 0.2, "empty": 0.2}, seed=3) as server:
        for _ in range(4):  # each is a run of its own; answers are shared
            paying(server.base_url, "--max-cost", str(cap), "-q")
        asked = len(server.requests)
    with Ledger.open(paying.folder / "here" / "runs" / LEDGER) as ledger:
        spent = [ledger.spent(run.name) for run in runs(paying)]
    assert sum(each.attempts for each in spent) == asked
    assert all(each.dollars <= cap for each in spent)


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


def test_where_calls_failed_the_command_that_asks_again_is_named(paying: Paying) -> None:
    with ScriptedServer(faults={"refusal": 1}) as server:
        done = paying(server.base_url, "--yes")
    assert done.code == 5
    assert "--retry-failed   asks again where a call failed" in done.out
