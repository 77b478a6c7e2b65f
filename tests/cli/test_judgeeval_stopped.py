"""`judgeeval run` that was stopped: by a cap, a provider or a kill; and the same command again."""

from __future__ import annotations

import json
import os
import re
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
from tests.cli.conftest import Command
from tests.cli.measuring import TOTAL, Measuring, cases, key, only_result, spent_so_far
from tests.cli.paying import write_card
from tests.judgeeval.making import LEAVES

__all__ = ["cases", "key"]


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
        spent = spent_so_far()
        cap = spent + 0.0125
        measure("--max-cost", f"{cap:.5f}", "-o", "kept")
        assert spent < spent_so_far() <= cap
        paid = sum(case.paid or 0.0 for case in load_evaluation("kept").cases)
        assert paid >= spent


def test_a_provider_that_refuses_ends_it_and_the_same_command_goes_on(
    command: Command, cases: Path, key: None
) -> None:
    down = [True]

    def answer(request: Request) -> Fault | None:
        return Fault("quota") if down else None

    with ScriptedServer(answer=answer) as server:
        measure = Measuring(command, cases, server)
        assert measure("--yes").code == 7
        held = load_evaluation(only_result())
        assert [case.finished for case in held.cases] == [False, False]
        assert len(held.leaves) == TOTAL
        down.clear()
        assert measure("--yes").code == 0
    assert load_evaluation(only_result()).complete


def test_a_case_that_is_gone_on_with_counts_what_it_had(
    command: Command, cases: Path, key: None
) -> None:
    had = 3
    down = [True]

    def answer(request: Request) -> Fault | None:
        return Fault("quota") if down and request.number > had else None

    with ScriptedServer(answer=answer) as server:
        measure = Measuring(command, cases, server)
        stopped = measure("--yes")
        assert re.search(rf"^a +{LEAVES} leaves, {had} graded", stopped.err, re.M)
        down.clear()
        told = measure("--yes").err
    assert re.search(rf"^a +{LEAVES} leaves, {LEAVES} graded", told, re.M)


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
