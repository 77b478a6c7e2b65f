"""`judgeeval run`: offline with what ships, and with a judge that pays."""

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
from rubric_engine.judgeeval.results import save_evaluation
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
    flags = ("--judge", "replay", "--hole", "50")
    done = command("judgeeval", "run", cases, *flags)
    holes = sum(leaf.score is None for leaf in load_evaluation(_only_result()).leaves)
    said = f"failed  replay: {holes} leaves without a grade (infra {holes})\nexit    5\n"
    assert (done.code, said in done.out) == (5, True)
    assert len(command("judgeeval", "run", cases, *flags, "-q").out.splitlines()) == 1


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


def test_what_two_judges_ask_alike_is_foreseen_once(
    command: Command, cases: Path, key: None
) -> None:
    with ScriptedServer() as server:
        measure = Measuring(command, cases, server)
        pair = cases.parent / "pair" / "judge.yaml"
        pair.parent.mkdir()
        other = write_card(cases.parent / "other", server.base_url, most=900)
        pair.write_text(f"judge: 1\nkind: panel\njudges: [{measure.card}, {other}]\n")
        both = measure("--judge", str(pair), "--dry-run", "--json").json
        anew = measure("--judge", str(pair), "--dry-run", "--json", "--fresh").json
    told = [(each["judge"], each["member_of"], each["total"]["calls"]) for each in both["models"]]
    assert told == [("card", None, TOTAL), ("card", "pair", 0), ("other", "pair", TOTAL)]
    assert (both["calls"], anew["calls"]) == (2 * TOTAL, 3 * TOTAL)


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


def test_several_judges_stand_in_one_table(command: Command, cases: Path) -> None:
    judges = ("--judge", "all-met", "--judge", "random", "--judge", "replay")
    done = command("judgeeval", "run", cases, *judges)
    assert done.code == 0
    assert done.out.count("F1 by worth") <= 1
    for name in ("all-met", "random", "replay"):
        assert load_evaluation(f"results/{name}-cases").complete
        assert f"judge       {name}\n" in done.err
        assert f"result  {name}: results/{name}-cases" in done.out
    told = command("judgeeval", "run", cases, *judges, "-o", "all", "--json").json
    folders = [f"all/{name}-cases" for name in ("all-met", "random", "replay")]
    assert (told["result"], told["results"]) == (None, folders)
    rows = [row["name"] for row in told["leaf_sets"][0]["rows"] if row["kind"] == "judge"]
    assert sorted(rows) == ["all-met", "random", "replay"]
    assert len(command("judgeeval", "run", cases, *judges, "-q").out.splitlines()) == 3
    assert command("judgeeval", "report", "all").code == 0


def test_the_gravest_exit_code_of_several_judges_counts(command: Command, cases: Path) -> None:
    judges = ("--judge", "replay", "--judge", "all-met", "--hole", "50")
    assert command("judgeeval", "run", cases, *judges, "-q").code == 5
    assert load_evaluation("results/all-met-cases").complete


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("random", "random"), "two of the judges would be kept in"),
        (("random", "all-met", "--name", "x"), "--name names one judge"),
        (("random", "all-met", "--miss", "5"), "--miss, --false-alarm and --hole go with"),
    ],
)
def test_several_judges_need_names_of_their_own(
    command: Command, cases: Path, flags: tuple[str, ...], said: str
) -> None:
    words = [flag for name in flags[:2] for flag in ("--judge", name)]
    done = command("judgeeval", "run", cases, *words, *flags[2:])
    assert (done.code, said in done.err) == (2, True)


def test_one_cap_holds_over_all_judges(command: Command, cases: Path, key: None) -> None:
    with ScriptedServer() as server:
        cards = [write_card(cases.parent / name, server.base_url) for name in ("one", "two")]
        other = cards[1].read_text().replace("name: small", "name: other")
        cards[1].write_text(other)
        judges = [flag for card in cards for flag in ("--judge", str(card))]
        foreseen = command("judgeeval", "run", cases, *judges, "--dry-run", "--json").json
        assert foreseen["calls"] == 2 * TOTAL
        first = command("judgeeval", "run", cases, "--judge", str(cards[0]), "--yes", "-q")
        assert first.code == 0
        paid = sum(case.paid or 0.0 for case in load_evaluation("results/one-small-cases").cases)
        cap = f"{paid + 0.02:.4f}"
        stopped = command("judgeeval", "run", cases, *judges, "--max-cost", cap)
        assert stopped.code == 6
        assert stopped.out.count("   with a higher cap") == 1
        assert stopped.out.count("\nnext    ") == 2  # the other one is about the table
        second = load_evaluation("results/two-other-cases")
        assert sum(case.paid or 0.0 for case in second.cases) <= 0.02
        assert not second.complete
        assert command("judgeeval", "run", cases, *judges, "--yes", "-q").code == 0
        assert len(server.requests) == 2 * TOTAL


def test_a_cap_counts_what_the_ledger_knows_of_a_judge_that_was_killed(
    command: Command, cases: Path, key: None
) -> None:
    with ScriptedServer() as server:
        cards = [write_card(cases.parent / name, server.base_url) for name in ("one", "two")]
        words = ("judgeeval", "run", cases, "--judge", cards[1], "--yes", "-q")
        assert command(*words).code == 0
        known = load_evaluation("results/two-small-cases")
        paid = sum(case.paid or 0.0 for case in known.cases)
        unsaid = {"paid": None, "tokens": 0, "finished": False}
        killed = [case.model_copy(update=unsaid) for case in known.cases]
        save_evaluation(
            known.model_copy(update={"cases": tuple(killed)}), "results/two-small-cases"
        )
        cards[0].write_text(cards[0].read_text().replace("name: small", "name: other"))
        judges = ("--judge", cards[0], "--judge", cards[1])
        command("judgeeval", "run", cases, *judges, "--max-cost", f"{paid + 0.02:.4f}", "-q")
        first = load_evaluation("results/one-other-cases")
        assert sum(case.paid or 0.0 for case in first.cases) <= 0.02
        assert not first.complete


def test_no_judge_is_asked_where_the_place_of_another_is_taken(
    command: Command, cases: Path, key: None
) -> None:
    taken = Path("all/all-met-cases")
    taken.mkdir(parents=True)
    (taken / "mine.txt").write_text("mine")
    with ScriptedServer() as server:
        card = write_card(cases.parent / "one", server.base_url)
        judges = ("--judge", card, "--judge", "all-met")
        done = command("judgeeval", "run", cases, *judges, "-o", "all", "--yes")
        assert len(server.requests) == 0
    assert (done.code, "E012" in done.err) == (2, True)
    assert not Path("all/one-small-cases").exists()


def test_samples_of_a_judge_are_held_against_each_other(
    command: Command, cases: Path, key: None
) -> None:
    with ScriptedServer() as server:
        member = write_card(cases.parent / "one", server.base_url)
        again = cases.parent / "again"
        again.mkdir()
        (again / "judge.yaml").write_text(f"judge: 1\nkind: repeat\nof: {member}\nn: 3\n")
        done = command("judgeeval", "run", cases, "--judge", str(again), "--yes")
        assert len(server.requests) == 3 * TOTAL
    assert done.code == 0
    assert "again small: 3.00 samples a leaf; verdicts of its samples agree on" in done.out
    assert f"100.0% of {TOTAL} leaves (test-retest); Fleiss' kappa: " in done.out
    (result,) = Path("results").iterdir()
    assert {len(leaf.samples) for leaf in load_evaluation(result).leaves} == {3}
    told = command("judgeeval", "report", result, "--json").json
    (found,) = told["leaf_sets"][0]["samples"].values()
    assert (found["mean"], found["consistency"]["agreement"]) == (3.0, 1.0)
