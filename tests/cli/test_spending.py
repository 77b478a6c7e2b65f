"""`grade` with a judge that pays: the price before, the caps, and how a run ends."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from rubric_engine.cli.costs import cost_lines
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
    assert re.search(r"\$0\.0\d-\$0\.0\d+ +100\.0", done.out)
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
    shown = paying.command("show", "latest", "leaf-0", "--prompt").out
    assert shown.count("longer than the model's window; asked again with less evidence") == 1
    assert shown.count("CRITERION (Code Development)") == 1


def test_calls_that_rank_files_are_priced_and_then_on_record(paying: Paying) -> None:
    for at in range(4):
        (paying.submission / f"big{at}.py").write_text(f"x{at} = 1\n" * 1_000)

    def answer(request: Request) -> dict[str, list[str]] | None:
        return {"paths": ["big3.py"]} if "PART: " in request.question else None

    with ScriptedServer(answer=answer) as server:
        paying.card_more = "evidence: {max_chars: 20000, selection: model}\n"
        before = paying(server.base_url, "--dry-run")
        told = paying(server.base_url, "--dry-run", "--json").json
        assert paying(server.base_url, "--json").json["cost"]["calls"] == LEAVES + 1
        after = paying(server.base_url, "--dry-run", "--json").json
        assert len(server.requests) == LEAVES + 1
    assert re.search(r"ranking files +1 ", before.out)
    assert "calls that rank files first: 1;" in before.out
    assert (told["calls"], told["ranking_calls"], told["replayed"]) == (LEAVES + 1, 1, 0)
    assert (after["calls"], after["ranking_calls"], after["replayed"]) == (0, 0, LEAVES)
    shown = paying.command("show", "latest", "leaf-0")
    assert "  - big2.py: 7000 bytes: for want of room" in shown.out
    receipt = paying.command("show", "latest", "leaf-0", "--json").json["receipt"]
    assert "big3.py" in {line["path"] for line in receipt["cut"]}


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


def test_a_price_of_another_endpoint_holds_no_cap_and_the_way_to_give_one_is_told(
    command: Command, rubric: Path, submission: Path
) -> None:
    url = "http://127.0.0.1:9/v1"
    done = command(
        "grade", submission, "--rubric", rubric, "--model", "gpt-5.6", "--base-url", url,
        "--max-cost", "5", "--judge", "simple",
    )  # fmt: skip
    assert done.code == 2
    assert f"no price is known for 'gpt-5.6' at {url}" in done.err
    assert "counts for the vendors' own endpoints" in done.err
    assert "`price: {input: 0.5, output: 2}` under `model` in the judge card" in done.err


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
    assert re.search(r"cost    \$0\.00\d+   .* 6 calls \+ 0 replayed", done.out)


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
    again = r"^next    rubric-engine resume [0-9a-f]{6} --max-cost N   N above \$0\.001; pays only"
    assert re.search(again, plain.out, re.MULTILINE)
    with ScriptedServer() as server:
        tokens = paying(server.base_url, "--max-tokens", "100", "--yes")
    assert re.search("next    .* --max-tokens N   N above 100; pays only", tokens.out)


def test_a_server_that_answered_nothing_is_the_reason_and_not_the_cap(paying: Paying) -> None:
    with ScriptedServer(faults={"500": 1.0}) as server:
        done = paying(server.base_url, "--max-cost", "0.03")
        assert 0 < len(server.requests) < LEAVES
    assert done.code == 7
    assert f"small at {server.base_url} answered no request; the last error: HTTP 500" in done.out
    assert re.search(r"all of it up to \$0\.0\d+ \([\d,]+ tokens\) for \d requests?", done.out)
    doctor = f"rubric-engine doctor --model small --base-url {server.base_url}   "
    for words in (["show", "latest"], ["runs", "info", "latest"], ["runs", "list"]):
        shown = paying.command(*words).out
        assert doctor in shown
        assert re.search(r" --max-cost N   N above \$0\.03; pays only", shown)
    assert paying.command("resume", "latest").code == 6  # nothing was sent, so nothing was said


def test_a_refusal_before_the_cap_is_a_word_of_the_server(paying: Paying) -> None:
    with ScriptedServer(fault_at={1: "prompt_filter"}, faults={"500": 1.0}) as server:
        assert paying(server.base_url, "--max-cost", "0.03", "--json").json["exit_code"] == 6


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
    assert [words.format(run=run.name[-6:]) in line for line in named] == [True, False]
    assert words.format(run=run.name[-6:]) in paying.command("runs", "list").out


def test_a_model_that_is_not_there_wants_another_name(paying: Paying) -> None:
    with ScriptedServer(faults={"404": 1.0}) as server:
        done = paying(server.base_url, "--yes")
    assert done.code == 7
    assert f"next    rubric-engine doctor --model small --base-url {server.base_url}   " in done.out
    assert "next    rubric-engine grade SUBMISSION ... --model NAME   " in done.out
    assert "rubric-engine resume" not in done.out


def test_the_part_of_a_cost_is_never_above_the_whole() -> None:
    counts = ("calls", "attempts", "input_tokens", "cached_tokens", "output_tokens")
    blind = ("uncounted_attempts", "uncounted_tokens")
    cost = dict.fromkeys((*counts, *blind), 1.0) | {"usd": 9.4601, "uncounted_usd": 9.4601}
    assert [line.count("$9.47") for line in cost_lines(cost)] == [1, 1]


def test_a_server_that_bills_more_stops_the_run_and_the_excess_is_named(paying: Paying) -> None:
    with ScriptedServer(answer=long, fault_at={1: "overbilled"}) as server:
        done = paying(server.base_url, "--max-cost", "5")
        assert len(server.requests) == 1
    assert done.code == 6
    assert re.search(r"excess  the server billed [\d,]+ tokens and <?\$\d", done.out)
    assert "billed" in done.out
    report = json.loads((runs(paying)[0] / "report.json").read_text())
    assert report["cost"]["excess_tokens"] > 0
    assert report["stopped"]["code"] == "E602"


def test_a_run_whose_last_bills_pass_the_cap_does_not_end_well(
    paying: Paying, command: Command
) -> None:
    def dear_at_last(request: Request) -> Reply:
        return Reply(LONG, billed=100.0 if request.number == LEAVES else 1.0)

    with ScriptedServer(answer=dear_at_last) as server:
        done = paying(server.base_url, "--max-cost", "0.1", "--json")
        assert len(server.requests) == LEAVES
        again = command("resume", "latest")
        higher = command("resume", "latest", "--max-cost", "5")
    assert done.json["score"]["coverage"] == 1
    assert done.json["cost"]["usd"] > 0.1
    assert (done.code, done.json["stopped"]["code"]) == (6, "E602")
    assert any("billed" in warning["message"] for warning in done.json["warnings"])
    assert (again.code, higher.code) == (6, 0)


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


@pytest.mark.parametrize("flags", [[], ["--dry-run"], ["--yes"], ["-q"]])
def test_a_cap_that_could_not_hold_is_refused_before_all_else(
    paying: Paying, flags: list[str]
) -> None:
    with ScriptedServer() as server:
        words = paying.arguments(server.base_url, "--max-tokens", "100", *flags)
        card = paying.folder / "card" / "judge.yaml"
        card.write_text(
            card.read_text().replace("max_output_tokens: 1000", "max_output_tokens: null")
        )
        done = paying.command(*words)
        assert len(server.requests) == 0
    assert done.code == 2
    assert "--max-tokens cannot hold: nothing limits the answers of 'small'" in done.err
    assert "--yes" not in done.err


def test_an_excess_is_named_in_every_later_report_of_its_run(
    paying: Paying, command: Command
) -> None:
    with ScriptedServer(answer=long, fault_at={1: "overbilled"}) as server:
        paying(server.base_url, "--max-cost", "5")
        done = command("resume", "latest")
    assert done.code == 0
    line = re.search(r"excess .*", done.out)
    assert line is not None
    assert line[0] in command("show", "latest").out
    assert re.search(r"excess +the server billed", command("runs", "info", "latest").out)
    assert command("runs", "info", "latest", "--json").json["cost"]["excess_usd"] > 0


def test_what_of_the_cost_is_a_bound_is_said_wherever_the_cost_is(
    paying: Paying, command: Command
) -> None:
    where = {"CRITERION (Code Development): Thing 3": "500"}
    with ScriptedServer(answer=long, fault_where=where) as server:
        done = paying(server.base_url, "--yes")
    said = r"of which up to \$0\.\d+ \([\d,]+ tokens\) for 1 request whose usage is unknown"
    shown = command("show", "latest"), command("runs", "info", "latest"), command("cache", "info")
    for each in (done, *shown):
        assert re.search(said, each.out)
    cost = command("runs", "info", "latest", "--json").json["cost"]
    assert cost["uncounted_attempts"] == 1
    assert 0 < cost["uncounted_usd"] < cost["usd"]


@pytest.mark.parametrize("cap", ["0.0001", "0.0123", "0.03"])
def test_a_cap_is_shown_as_given_and_what_is_needed_above_what_is_left(
    paying: Paying, cap: str
) -> None:
    with ScriptedServer(answer=long) as server:
        said = paying(server.base_url, "--max-cost", cap, "--json").json["stopped"]["message"]
    found = re.fullmatch(
        r"the next call may cost \$([\d.]+); \$([\d.]+) is left of --max-cost \$([\d.]+)", said
    )
    assert found is not None
    assert found[3] == cap
    assert float(found[1]) > float(found[2])


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
    quiet = auto(command, rubric, submission, "--sandbox", "none", "-q")
    assert quiet.err == ""
    assert re.search(r"^50\.0-100\.0%  \(.*\)  judge=rules \(no key\)  runs/\S+\n$", quiet.out)
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
    again = rf"^next +rubric-engine resume {run.name[-6:]} --max-cost N   N above \$0.001;"
    assert re.search(again, shown, re.MULTILINE)
    (run / "resume.json").unlink()
    assert "resume" not in paying.command(*words).out


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


def test_a_server_that_never_answers_ends_the_run_and_says_so(paying: Paying) -> None:
    with ScriptedServer(faults={"529": 1.0}) as server:
        done = paying(server.base_url)
        assert len(server.requests) < LEAVES
    assert done.code == 7
    assert "has not given one answer" in done.out
    assert "HTTP 529: Overloaded" in done.out
    assert re.search("next    rubric-engine resume [0-9a-f]{6}", done.out)
