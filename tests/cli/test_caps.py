"""The caps on what a run spends, and what is said of what they let pass."""

from __future__ import annotations

import json
import re

import pytest

from rubric_engine.cli.costs import cost_lines
from rubric_engine.connection import LEDGER
from rubric_engine.ledger import Ledger
from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import LEAVES, LONG, Paying, long, paying, runs

__all__ = ["paying"]


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
    again = (
        r"^next    rubric-engine resume [0-9a-f]{6} --max-cost N   N from \$0\.0\d+ on; pays only"
    )
    assert re.search(again, plain.out, re.MULTILINE)
    with ScriptedServer() as server:
        tokens = paying(server.base_url, "--max-tokens", "100", "--yes")
    found = re.search(r"next    .* --max-tokens N   N from ([\d,]+) on; pays only", tokens.out)
    assert found is not None
    with ScriptedServer() as server:
        enough = paying(server.base_url, "--max-tokens", found[1].replace(",", ""), "--yes")
        assert len(server.requests) >= 1
    assert enough.out != tokens.out


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
        assert re.search(r" --max-cost N   N from \$0\.0\d+ on; pays only", shown)
    assert paying.command("resume", "latest").code == 6  # nothing was sent, so nothing was said


def test_a_refusal_before_the_cap_is_a_word_of_the_server(paying: Paying) -> None:
    with ScriptedServer(fault_at={1: "prompt_filter"}, faults={"500": 1.0}) as server:
        assert paying(server.base_url, "--max-cost", "0.03", "--json").json["exit_code"] == 6


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
        r"the next call may cost \$([\d.]+); \$([\d.]+) is left of --max-cost \$([\d.]+);"
        r" \$([\d.]+) would do for it, and the rest may need more",
        said,
    )
    assert found is not None
    assert float(found[4]) > float(cap)
    assert found[3] == cap
    assert float(found[1]) > float(found[2])


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
