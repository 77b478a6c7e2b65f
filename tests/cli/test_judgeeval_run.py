"""`judgeeval run`: offline with what ships, and with a judge that pays."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.connection import LEDGER
from rubric_engine.judgeeval import load_evaluation
from rubric_engine.ledger import LedgerReader
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.cli.conftest import ROOT, Command, Outcome
from tests.cli.paying import write_card
from tests.judgeeval.making import LEAVES, write_case, write_task

TOTAL = 2 * LEAVES


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    task = write_task(tmp_path / "task")
    for name in ("a", "b"):
        write_case(tmp_path / "cases" / name, task)
    return tmp_path / "cases"


class Measuring:
    """Measures a judge whose model has a price on two small cases."""

    def __init__(self, command: Command, cases: Path, server: ScriptedServer) -> None:
        self.command, self.cases, self.server = command, cases, server
        self.card = write_card(cases.parent / "card", server.base_url)

    def arguments(self, *more: str) -> list[str]:
        return ["judgeeval", "run", str(self.cases), "--judge", str(self.card), *more]

    def __call__(self, *more: str) -> Outcome:
        return self.command(*self.arguments(*more))


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_KEY", "sk-small")


def test_the_shipped_cases_by_rules_offline(command: Command) -> None:
    done = command("judgeeval", "run", "--judge", "rules", "--sandbox", "none")
    assert done.code == 0
    evaluation = load_evaluation("results/rules")
    assert len(evaluation.cases) == 12
    graded = [leaf for leaf in evaluation.leaves if leaf.status == "graded"]
    assert len(graded) >= 12 * 10
    assert all(leaf.score == leaf.label for leaf in graded)
    assert {leaf.reason for leaf in evaluation.leaves if leaf.reason} == {"needs_model", "not_run"}
    assert [line.split()[0] for line in done.err.splitlines()] == [c.name for c in evaluation.cases]


def test_judges_that_are_made_of_the_labels(command: Command, cases: Path) -> None:
    for judge in ("majority", "replay", "random", "all-met", "all-not-met"):
        assert command("judgeeval", "run", cases, "--judge", judge, "-q").code == 0
        assert load_evaluation(f"results/{judge}-cases").complete
    done = command(
        "judgeeval", "run", cases, "--judge", "replay", "--miss", "100", "-o", "r2", "--json"
    )
    assert done.json["ok"]
    assert {leaf.score for leaf in load_evaluation("r2").leaves} == {0.0}
    assert command("judgeeval", "run", cases, "--judge", "rules", "--miss", "1").code == 2


def test_holes_of_a_judge_show_in_the_exit_code(command: Command, cases: Path) -> None:
    assert command("judgeeval", "run", cases, "--judge", "replay", "--hole", "50", "-q").code == 5


def test_a_dry_run_prices_all_cases_and_sends_nothing(
    command: Command, cases: Path, key: None
) -> None:
    with ScriptedServer() as server:
        measure = Measuring(command, cases, server)
        told = measure("--dry-run", "--json").json
        sampled = measure("--dry-run", "--json", "--sample", "4").json
        assert len(server.requests) == 0
        done = measure("--max-cost", "1", "--json")
        after = measure("--dry-run", "--json").json
    assert (told["calls"], told["models"][0]["total"]["points"]) == (TOTAL, pytest.approx(100))
    assert sampled["calls"] == 4
    assert done.code == 0
    paid = sum(case.paid or 0.0 for case in load_evaluation(_only_result()).cases)
    assert 0 < paid <= told["usd"]["high"]
    assert (after["calls"], after["replayed"]) == (0, TOTAL)


def _only_result() -> Path:
    (folder,) = Path("results").iterdir()
    return folder


def test_what_no_judge_is_given_is_said_before_anything_is_paid_for(
    command: Command, key: None, tmp_path: Path
) -> None:
    with ScriptedServer() as server:
        card = write_card(tmp_path / "card", server.base_url)
        words = ("judgeeval", "run", ROOT / "tests/data/paperbench", "--judge", card)
        told = command(*words, "--dry-run").err
        assert "variance-reduction/0: no paper of variance-reduction is at hand" in told
        command(*words, "--yes", "--sample", "3", "-o", "kept")
    (case,) = load_evaluation("kept").cases
    assert "no paper" in case.notes[0]


def test_who_would_spend_much_is_asked_first(command: Command, cases: Path, key: None) -> None:
    with ScriptedServer() as server:
        measure = Measuring(command, cases, server)
        refused = measure("--confirm-above", "0")
        assert (refused.code, len(server.requests)) == (2, 0)
        assert measure("--confirm-above", "0", "--yes").code == 0


def test_no_key_is_no_fallback(command: Command, cases: Path) -> None:
    for judge in ("simple", "auto"):
        done = command("judgeeval", "run", cases, "--judge", judge, "--model", "o3-mini")
        assert (done.code, Path("results").exists()) == (4, False)


def test_a_cap_holds_over_all_cases_and_what_was_not_reached_stays_in(
    command: Command, cases: Path, key: None
) -> None:
    with ScriptedServer() as server:
        measure = Measuring(command, cases, server)
        assert measure("--yes", "-o", "whole", "--runs", "other").code == 0
        whole = load_evaluation("whole").cases
        paid = [case.paid or 0.0 for case in whole]
        # An attempt reserves its longest answer, so a cap ends a run well before it is used up.
        cap = paid[0] + 0.012
        asked = len(server.requests)
        first = measure("--max-cost", f"{cap:.4f}", "-o", "kept")
        assert first.code == 6
        stopped = load_evaluation("kept")
        assert sum(case.paid or 0.0 for case in stopped.cases) <= cap
        assert len(stopped.leaves) == TOTAL
        graded = sum(leaf.status == "graded" for leaf in stopped.leaves)
        assert len(server.requests) == asked + graded < asked + TOTAL
        assert measure("--yes", "-o", "kept").code == 0
        assert len(server.requests) == asked + TOTAL
    done = load_evaluation("kept")
    assert done.complete
    assert [leaf.cost for leaf in done.leaves] == pytest.approx(
        [leaf.cost for leaf in load_evaluation("whole").leaves]
    )


@pytest.mark.parametrize("what", ["the submission changed", "the run is gone", "a kill"])
def test_a_cap_counts_what_was_paid_before(
    command: Command, cases: Path, key: None, what: str
) -> None:
    def answer(request: Request) -> Fault | None:
        # One leaf of each case fails, so that it is asked about again the second time.
        return Fault("500") if "Thing 2 of two" in request.question and not mended else None

    mended: list[bool] = []
    with ScriptedServer(answer=answer) as server:
        measure = Measuring(command, cases, server)
        assert measure("--max-cost", "0.05", "-o", "kept").code == 5
        mended.append(True)
        if what == "the submission changed":
            (cases / "b" / "submission" / "a.py").write_text("# changed\n")
        elif what == "the run is gone":
            run = load_evaluation("kept").cases[1].run
            shutil.rmtree(Path("runs") / str(run))
        else:  # as a kill leaves it: nothing of the case but the name of its run
            path = Path("kept/evaluation.json")
            facts = json.loads(path.read_text())
            facts["cases"][1] |= {"paid": None, "tokens": 0, "finished": False}
            path.write_text(json.dumps(facts))
        spent = _spent()
        cap = spent + 0.0125
        measure("--max-cost", f"{cap:.5f}", "-o", "kept")
        assert spent < _spent() <= cap
        paid = sum(case.paid or 0.0 for case in load_evaluation("kept").cases)
        assert paid >= spent


def _spent() -> float:
    with LedgerReader.open(Path("runs") / LEDGER) as ledger:
        return ledger.spent().dollars


def test_runs_are_not_kept_in_a_case(command: Command, cases: Path) -> None:
    done = command("judgeeval", "run", cases, "--judge", "rules", "--runs", cases / "a" / "runs")
    assert (done.code, "E012" in done.err) == (2, True)


def test_a_provider_that_refuses_ends_it_and_the_same_command_goes_on(
    command: Command, cases: Path, key: None
) -> None:
    down = [True]

    def answer(request: Request) -> Fault | None:
        return Fault("quota") if down else None

    with ScriptedServer(answer=answer) as server:
        measure = Measuring(command, cases, server)
        assert measure("--yes").code == 7
        held = load_evaluation(_only_result())
        assert [case.finished for case in held.cases] == [False, False]
        assert len(held.leaves) == TOTAL
        down.clear()
        assert measure("--yes").code == 0
    assert load_evaluation(_only_result()).complete


def test_killed_in_the_middle_only_what_was_in_flight_is_asked_again(
    cases: Path, tmp_path: Path
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def answer(request: Request) -> None:
        if request.number == LEAVES + 3:
            started[0].send_signal(signal.SIGKILL)

    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path / "state"), "SMALL_KEY": "sk-small"}
    with ScriptedServer(answer=answer) as server:
        card = write_card(tmp_path / "card", server.base_url)
        words = ["judgeeval", "run", str(cases), "--judge", str(card), "--yes", "-q", "-o", "kept"]
        started.append(subprocess.Popen([*PROGRAM, *words], cwd=tmp_path, env=environment))
        assert started[0].wait() == -signal.SIGKILL
        held = load_evaluation(tmp_path / "kept")
        assert [case.finished for case in held.cases] == [True, False]
        assert len(held.leaves) == TOTAL
        subprocess.run([*PROGRAM, *words], cwd=tmp_path, env=environment, check=True)
        repeated = [count for count in server.asked.values() if count > 1]
    assert load_evaluation(tmp_path / "kept").complete
    assert len(repeated) <= CONNECTIONS
    with LedgerReader.open(tmp_path / "runs" / LEDGER) as ledger:
        assert ledger.spent().calls == TOTAL


PROGRAM = [sys.executable, "-c", "from rubric_engine.cli import main; main()"]
CONNECTIONS = 2
"""Requests at once, as the card has it."""
