"""`judgeeval run` with several judges: one table, one cap, a folder for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_evaluation
from rubric_engine.judgeeval.results import save_evaluation
from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import Command
from tests.cli.measuring import TOTAL, Measuring, cases, key
from tests.cli.paying import write_card

__all__ = ["cases", "key"]


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
