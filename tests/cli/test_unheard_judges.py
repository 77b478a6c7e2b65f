"""A judge of several that could not be asked: what stands meanwhile, and who is asked later."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.values import Fault
from tests.cli.conftest import Command, Outcome
from tests.cli.paying import LEAVES, paying
from tests.cli.test_combined_judges import GONE, Combining, combining, decides, key, panel, servers

__all__ = ["combining", "key", "paying", "servers"]

UNSURE = 2
ODDS = {f"Thing {number}": 0.5 if number < UNSURE else 0.95 for number in range(LEAVES)}


def ail(server: ScriptedServer, fault: Any) -> None:
    server.answer = lambda _: Fault(fault)


def mend(server: ScriptedServer) -> None:
    server.answer = None


@pytest.fixture
def turns(combining: Combining, servers: Any) -> Path:
    """A cascade whose chat model is to be asked about two leaves."""
    servers[0].probabilities = ODDS
    members = [
        decides(combining.folder, "odds", servers[0].base_url),
        combining.model("chat", servers[1].base_url),
    ]
    listed = ", ".join(map(str, members))
    return combining.card("turns", f"kind: cascade\njudges: [{listed}]\nunsure: [0.2, 0.8]")


def unheard(done: Outcome) -> list[str]:
    return [each["message"] for each in done.json["warnings"] if each["code"] == "W219"]


@pytest.mark.parametrize(
    ("fault", "code"), [("401", 4), ("403", 4), ("404", 7), ("quota", 7), ("daily", 7)]
)
@pytest.mark.parametrize("flags", [(), ("--retry-failed",)])
def test_who_mends_what_kept_the_later_judge_silent_gets_the_rest(
    combining: Combining, turns: Path, servers: Any, command: Command, fault: str, code: int,
    flags: tuple[str, ...],
) -> None:  # fmt: skip
    ail(servers[1], fault)
    stopped = combining(turns, "--yes", "--json")
    assert (stopped.code, stopped.json["leaves"]["graded"]) == (code, LEAVES)
    assert unheard(stopped) == [
        f"{UNSURE} leaves graded without 'chat': provider_error; `resume --retry-failed` asks it"
        " again"
    ]
    still = command("resume", "latest", *flags, "--yes", "--json")
    assert (still.code, len(unheard(still))) == (code, 1)
    mend(servers[1])
    tried = len(servers[1].requests)
    done = command("resume", "latest", *flags, "--yes", "--json")
    assert (done.code, unheard(done)) == (0, [])
    assert (len(servers[0].requests), len(servers[1].requests) - tried) == (1, UNSURE)
    again = command("resume", "latest", "--retry-failed", "--yes", "--json")
    assert again.json["score"] == done.json["score"]
    assert (len(servers[0].requests), len(servers[1].requests) - tried) == (1, UNSURE)


def test_a_stop_names_the_command_that_goes_on(
    combining: Combining, turns: Path, servers: Any
) -> None:
    ail(servers[1], "401")
    said = combining(turns, "--yes").out
    assert "next    export SMALL_KEY=" in said
    assert "next    rubric-engine resume " in said


@pytest.mark.parametrize(("fault", "code"), [("401", 4), ("404", 7), ("quota", 7)])
def test_a_panel_that_waits_for_a_vote_names_whose_and_what_others_decide_counts(
    combining: Combining, servers: Any, command: Command, fault: str, code: int
) -> None:
    servers[0].probabilities = ODDS | {f"Thing {number}": 0.05 for number in range(UNSURE)}
    members = [
        combining.card("yes", "kind: constant\nscore: 1"),
        decides(combining.folder, "odds", servers[0].base_url),
        combining.model("chat", servers[1].base_url),
    ]
    ail(servers[1], fault)
    stopped = combining(combining.card("three", panel(*members)), "--yes", "--json")
    assert (stopped.code, stopped.json["leaves"]["graded"]) == (code, LEAVES - UNSURE)
    assert stopped.json["reasons"] == {"provider_error": UNSURE}
    (said,) = [each["message"] for each in stopped.json["warnings"] if each["code"] == "W209"]
    assert said.startswith("not judged to the end: the judge 'chat' cannot be asked: ")
    assert said.endswith(f"; {UNSURE} leaves wait for a vote that may decide")
    again = command("resume", "latest", "--yes")
    told = " ".join(again.out.split())
    assert again.code == code
    assert told.count("next rubric-engine resume") == 1
    assert "then asks 'chat'; the others' words are on record" in told
    mend(servers[1])
    tried = len(servers[1].requests)
    done = command("resume", "latest", "--yes", "--json")
    assert (done.code, done.json["leaves"]["graded"]) == (0, LEAVES)
    assert (len(servers[0].requests), len(servers[1].requests) - tried) == (1, LEAVES)


def test_all_judges_that_cannot_be_asked_are_named(combining: Combining) -> None:
    members = [combining.model(name, GONE) for name in ("one", "two", "three")]
    done = combining(combining.card("all", panel(*members)), "--yes", "--json")
    (said,) = [each["message"] for each in done.json["warnings"] if each["code"] == "W209"]
    named = re.findall(r"'(\w+)'", said)
    assert (done.code, sorted(named)) == (7, ["one", "three", "two"])


def test_a_vote_that_was_missed_is_asked_for_where_somebody_wants_it(
    combining: Combining, servers: Any, command: Command
) -> None:
    with ScriptedServer() as third:
        urls = servers[0].base_url, servers[1].base_url, third.base_url
        members = [combining.model(name, url) for name, url in zip("abc", urls, strict=True)]
        ail(third, "401")
        done = combining(combining.card("three", panel(*members)), "--yes")
        assert done.code == 0
        assert "--retry-failed   asks the judges that were not heard" in done.out
        before = len(third.requests)
        mend(third)
        assert len(unheard(command("resume", "latest", "--yes", "--json"))) == 1
        assert len(third.requests) == before
        whole = command("resume", "latest", "--retry-failed", "--yes", "--json")
        assert (whole.code, unheard(whole)) == (0, [])
        assert len(third.requests) - before == LEAVES
        assert [len(server.requests) for server in servers] == [LEAVES, LEAVES]
        shown = command("show", "latest", "leaf-0", "--json").json["grade"]
        assert [member["status"] for member in shown["members"]] == ["graded"] * 3


def test_an_unsure_grade_stays_where_one_call_failed_and_is_asked_again_on_demand(
    combining: Combining, turns: Path, servers: Any, command: Command
) -> None:
    servers[1].answer = lambda request: Fault("500") if "Thing 1" in request.question else None
    done = combining(turns, "--yes", "--json")
    assert (done.code, done.json["leaves"]["graded"]) == (0, LEAVES)
    assert unheard(done)[0].startswith("1 leaf graded without 'chat'")
    mend(servers[1])
    before = len(servers[1].requests)
    whole = command("resume", "latest", "--retry-failed", "--yes", "--json")
    assert (whole.code, unheard(whole)) == (0, [])
    assert (len(servers[0].requests), len(servers[1].requests) - before) == (1, 1)
    lines = next(Path("runs").glob("*/grades.jsonl")).read_text().splitlines()
    assert [json.loads(line)["key"] for line in lines[LEAVES:]] == ["leaf-1"]
