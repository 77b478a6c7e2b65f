"""`judgeeval run`: offline with what ships, and with a judge that pays."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_evaluation
from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import ROOT, Command
from tests.cli.measuring import TOTAL, Measuring, cases, key, only_result
from tests.cli.paying import write_card

__all__ = ["cases", "key"]


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
    holes = sum(leaf.score is None for leaf in load_evaluation(only_result()).leaves)
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
    paid = sum(case.paid or 0.0 for case in load_evaluation(only_result()).cases)
    assert 0 < paid <= told["usd"]["high"]
    assert (after["calls"], after["replayed"]) == (0, TOTAL)


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


def test_runs_are_not_kept_in_a_case(command: Command, cases: Path) -> None:
    done = command("judgeeval", "run", cases, "--judge", "rules", "--runs", cases / "a" / "runs")
    assert (done.code, "E012" in done.err) == (2, True)
