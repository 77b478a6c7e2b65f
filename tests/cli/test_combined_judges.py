"""Judges made of judges from the command line, against scripted servers."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import ROOT, Command, Outcome
from tests.cli.paying import LEAVES, Paying, paying, write_card

__all__ = ["paying"]

GONE = "http://127.0.0.1:9/v1"


class Combining:
    """Grades six leaves with cards made of cards.

    Attributes:
        folder: Where the cards lie.
    """

    def __init__(self, command: Command, paying: Paying, folder: Path) -> None:
        self._command, self._paying, self.folder = command, paying, folder

    def card(self, name: str, text: str) -> Path:
        """Write a card."""
        (self.folder / name).mkdir()
        (self.folder / name / "judge.yaml").write_text(f"judge: 1\n{text}\n")
        return self.folder / name

    def model(self, name: str, url: str) -> Path:
        """Write the card of a judge that asks a model."""
        return write_card(self.folder / name, url).parent

    def __call__(self, judge: Path, *flags: str) -> Outcome:
        paid = self._paying
        what = ("grade", paid.submission, "--rubric", paid.rubric, "--judge", judge)
        return self._command(*what, *flags)


@pytest.fixture
def combining(command: Command, paying: Paying, tmp_path: Path) -> Combining:
    return Combining(command, paying, tmp_path / "cards")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SMALL_KEY", "sk-small")
    (tmp_path / "cards").mkdir(exist_ok=True)


@pytest.fixture
def servers() -> Iterator[tuple[ScriptedServer, ScriptedServer]]:
    with ScriptedServer() as one, ScriptedServer() as other:
        yield one, other


def panel(*members: Path) -> str:
    return f"kind: panel\njudges: [{', '.join(map(str, members))}]"


def kept() -> Path:
    """The folder of the only run."""
    (run,) = (path for path in Path("runs").iterdir() if (path / "run.json").is_file())
    return run


def test_a_panel_of_three_with_one_dead_member_still_grades(
    combining: Combining, servers: Any, command: Command
) -> None:
    members = [
        combining.model(name, url)
        for name, url in (
            ("one", servers[0].base_url),
            ("gone", GONE),
            ("two", servers[1].base_url),
        )
    ]
    done = combining(combining.card("three", panel(*members)), "--yes", "--json")
    assert done.code == 0
    assert done.json["leaves"]["graded"] == LEAVES
    assert [len(server.requests) for server in servers] == [LEAVES, LEAVES]
    assert [w["message"] for w in done.json["warnings"] if w["code"] == "W219"] == [
        f"{LEAVES} leaves graded without 'gone': provider_error; `resume --retry-failed` asks it"
        " again"
    ]
    shown = command("show", "latest", "leaf-0").out
    assert re.search(r"^judges\n  one: [01]   .+\n  gone: provider_error   ", shown, re.M)
    members_said = command("show", "latest", "leaf-0", "--json").json["grade"]["members"]
    assert [each["status"] for each in members_said] == ["graded", "ungradeable", "graded"]


def test_a_panel_whose_members_are_all_dead_stops_the_run(combining: Combining) -> None:
    members = [combining.model(name, GONE) for name in ("one", "two")]
    done = combining(combining.card("both", panel(*members)), "--yes", "--json")
    assert done.code == 7
    assert done.json["leaves"]["graded"] == 0


def test_what_members_were_shown_and_cost_adds_up(combining: Combining, servers: Any) -> None:
    members = [
        combining.model(name, server.base_url) for name, server in zip("ab", servers, strict=True)
    ]
    judge = combining.card("pair", panel(*members))
    foreseen = combining(judge, "--dry-run", "--json").json
    done = combining(judge, "--yes", "--json").json
    assert foreseen["calls"] == 2 * LEAVES == done["cost"]["calls"]
    lines = (kept() / "grades.jsonl").read_text().splitlines()
    grades = [json.loads(line)["grade"] for line in lines]
    assert all(len(set(grade["calls"])) == 2 for grade in grades)
    named = {member["receipt"] for grade in grades for member in grade["members"]}
    receipts = (kept() / "receipts.jsonl").read_text().splitlines()
    assert named == {json.loads(line)["sha256"] for line in receipts}
    after = combining(judge, "--dry-run", "--json").json
    assert (after["calls"], after["replayed"]) == (0, LEAVES)


@pytest.mark.parametrize(
    ("vote", "calls", "made"),
    [("majority", 3 * LEAVES, 3 * LEAVES), ("lead_by", 3 * LEAVES, 2 * LEAVES)],
)
def test_a_repeat_asks_as_often_as_it_was_foreseen_at_most(
    combining: Combining, servers: Any, vote: str, calls: int, made: int
) -> None:
    member = combining.model("one", servers[0].base_url)
    judge = combining.card("again", f"kind: repeat\nof: {member}\nn: 3\nvote: {vote}")
    foreseen = combining(judge, "--dry-run", "--json").json
    assert foreseen["calls"] == calls
    assert [each["spare"] for each in foreseen["models"]] == [False, True][: 1 + (calls != made)]
    assert sum(each["total"]["calls"] for each in foreseen["models"] if not each["spare"]) == made
    assert all(each["total"]["points"] == pytest.approx(100) for each in foreseen["models"])
    done = combining(judge, "--yes", "--json")
    assert (done.code, len(servers[0].requests)) == (0, made)
    after = combining(judge, "--dry-run", "--json").json
    assert (after["calls"], after["replayed"]) == (0, LEAVES)
    again = combining(judge, "--yes", "--json").json
    assert again["cost"]["replayed"] == made == len(servers[0].requests)


def test_a_cap_leaves_a_panel_open_and_a_resume_pays_for_the_rest(
    combining: Combining, servers: Any, command: Command
) -> None:
    members = [
        combining.model(name, server.base_url) for name, server in zip("ab", servers, strict=True)
    ]
    judge = combining.card("pair", panel(*members))
    stopped = combining(judge, "--max-cost", "0.016", "--json")
    assert stopped.code == 6
    paid = sum(len(server.requests) for server in servers)
    assert 0 < paid < 2 * LEAVES
    assert stopped.json["leaves"]["ungradeable"] > 0
    done = command("resume", "latest", "--max-cost", "5", "--json")
    assert (done.code, done.json["leaves"]["graded"]) == (0, LEAVES)
    assert sum(len(server.requests) for server in servers) == 2 * LEAVES


def decides(folder: Path, name: str, url: str) -> Path:
    """Write the card of a judge that asks a decision model."""
    made = Path(shutil.copytree(ROOT / "judges" / "decision", folder / name))
    card = made / "judge.yaml"
    text = card.read_text().replace("model:\n", f"model:\n  base_url: {url}\n", 1)
    card.write_text(re.sub(r"\.\./simple/", f"{ROOT}/judges/simple/", text))
    return made


def test_samples_of_a_decision_model_are_requests_of_their_own(
    combining: Combining, servers: Any
) -> None:
    member = decides(combining.folder, "odds", servers[0].base_url)
    judge = combining.card("again", f"kind: repeat\nof: {member}\nn: 3")
    foreseen = combining(judge, "--dry-run", "--json").json
    done = combining(judge, "--yes", "--json")
    assert foreseen["calls"] == 3 == len(servers[0].requests)
    assert (done.code, done.json["leaves"]["graded"]) == (0, LEAVES)
    after = combining(judge, "--dry-run", "--json").json
    assert (after["calls"], after["replayed"]) == (0, LEAVES)


def test_two_judges_that_ask_a_decision_model_the_same_pay_once(
    combining: Combining, servers: Any
) -> None:
    members = [decides(combining.folder, name, servers[0].base_url) for name in ("a", "b")]
    judge = combining.card("pair", panel(*members))
    assert combining(judge, "--dry-run", "--json").json["calls"] == 1
    done = combining(judge, "--yes", "--json").json
    assert (done["leaves"]["graded"], done["cost"]["replayed"]) == (LEAVES, LEAVES)
    assert "W213" not in [warning["code"] for warning in done["warnings"]]
    assert len(servers[0].requests) == 1


def test_calls_that_members_share_are_none_of_an_earlier_run(
    combining: Combining, servers: Any
) -> None:
    shared = [combining.model(name, servers[0].base_url) for name in "ab"]
    other = combining.model("c", servers[1].base_url)
    first = combining(combining.card("pair", panel(*shared)), "--yes", "--json").json
    assert first["cost"]["replayed"] == LEAVES
    more = combining(combining.card("three", panel(*shared, other)), "--yes", "--json").json
    said = [
        [each["message"] for each in run["warnings"] if each["code"] == "W213"]
        for run in (first, more)
    ]
    assert said[0] == []
    assert said[1][0].startswith(
        f"{LEAVES} calls on record from earlier runs, and new calls for {LEAVES} leaves: leaf-0, "
    )


@pytest.mark.parametrize(("band", "more"), [("[0, 1]", LEAVES), ("[0, 0]", 0)])
def test_a_chat_model_is_asked_what_a_decision_model_is_unsure_of(
    combining: Combining, servers: Any, band: str, more: int
) -> None:
    members = [
        decides(combining.folder, "odds", servers[0].base_url),
        combining.model("chat", servers[1].base_url),
    ]
    named = f"kind: cascade\njudges: [{', '.join(map(str, members))}]\nunsure: {band}"
    judge = combining.card("turns", named)
    foreseen = combining(judge, "--dry-run", "--json").json
    assert [each["total"]["calls"] for each in foreseen["models"]] == [1, LEAVES]
    assert [each["spare"] for each in foreseen["models"]] == [False, True]
    done = combining(judge, "--yes", "--json")
    assert done.code == 0
    assert [len(server.requests) for server in servers] == [1, more]


def test_canaries_of_a_panel_are_asked_of_all_and_foreseen(
    combining: Combining, servers: Any
) -> None:
    members = [
        decides(combining.folder, "odds", servers[0].base_url),
        combining.model("chat", servers[1].base_url),
    ]
    judge = combining.card("watched", f"{panel(*members)}\ncanaries: 2")
    foreseen = combining(judge, "--dry-run", "--json").json
    done = combining(judge, "--yes", "--json")
    assert foreseen["calls"] == 2 + LEAVES + 2 == sum(len(server.requests) for server in servers)
    assert done.json["canaries"]["asked"] == 2


@pytest.mark.parametrize(
    ("member", "outer", "asked"),
    [("canaries: 2", "", 2), ("canaries: 2", "canaries: 1", 1), ("canaries: 2", "canaries: 0", 0)],
)
def test_canaries_of_a_member_are_tried_unless_the_outer_card_says_how_many(
    combining: Combining, servers: Any, member: str, outer: str, asked: int
) -> None:
    inner = combining.model("chat", servers[0].base_url)
    card = inner / "judge.yaml"
    card.write_text(f"{card.read_text()}{member}\n")
    judge = combining.card("turns", f"kind: cascade\njudges: [rules, {inner}]\n{outer}")
    foreseen = combining(judge, "--dry-run", "--json").json["calls"]
    done = combining(judge, "--yes", "--json")
    assert (done.code, len(servers[0].requests)) == (0, LEAVES + asked)
    assert foreseen == LEAVES + asked
    assert (done.json["canaries"] or {"asked": 0})["asked"] == asked


def test_a_model_that_members_share_is_told_once(combining: Combining, servers: Any) -> None:
    members = [combining.model(name, servers[0].base_url) for name in "ab"]
    said = combining(combining.card("pair", panel(*members)), "--dry-run").err
    assert len(re.findall(r"^model ", said, re.M)) == len(re.findall(r"^pace ", said, re.M)) == 1
    assert "   of a, b\npace " in said


def test_models_of_members_are_told_with_whose_they_are_and_what_all_take(
    combining: Combining, servers: Any
) -> None:
    members = [
        decides(combining.folder, "odds", servers[0].base_url),
        combining.model("chat", servers[1].base_url),
    ]
    told = combining(combining.card("turns", panel(*members)), "--dry-run")
    models = re.findall(r"^model .*   of (\w+)\npace  +(\w+) at once", told.err, re.M)
    assert [name for name, _ in models] == ["odds", "chat"]
    assert re.findall(r"^judge  (.+)$", told.out, re.M) == ["odds, of turns", "chat, of turns"]
    assert f"\nin all {1 + LEAVES} calls   " in told.out
