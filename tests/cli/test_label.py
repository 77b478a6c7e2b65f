"""`label`: from the plan to gold, as people do it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_labels
from tests.cli.assigning import FOLDER, ONE, OTHER, Fill, assigned, fill
from tests.cli.conftest import Command, Outcome

__all__ = ["assigned", "fill"]


def test_from_the_plan_to_gold(assigned: Command, fill: Fill) -> None:
    assert fill("a1", {"code": "met"}).out.startswith("a1: 1 new label, 0 corrected, 0 unchanged")
    assert fill("a1", ONE).out.startswith("a1: 2 new labels, 0 corrected, 1 unchanged")
    assert "gold: 1 of 3 leaves, 2 to decide, 0 waiting" in fill("a2", OTHER).out
    status = assigned("label", "status", "--json").json
    assert [row["done"] for row in status["annotators"]] == [3, 3]
    assert (status["both"], status["to_decide"]) == (3, 2)
    assert [step["command"] for step in status["next"]] == [
        f"rubric-engine label agreement {FOLDER}",
        f"rubric-engine label adjudicate {FOLDER} --as NAME",
    ]
    said = assigned("label", "status").err
    assert all(f"then: {step['command']}   {step['why']}\n" in said for step in status["next"])
    outcome = assigned("label", "adjudicate", "--as", "a3")
    assert outcome.out.startswith("2 leaves to decide")
    texts = (FOLDER / "adjudicate-a3.jsonl").read_text()
    assert [json.loads(line)["key"] for line in texts.splitlines()] == ["prose", "run"]
    assert '"a1"' not in texts
    fill("a3", {"prose": "met", "run": "met"})
    gold = load_labels(FOLDER / "gold.jsonl")
    assert {key: label.verdict for key, label in gold.labels.items()} == dict.fromkeys(ONE, "met")
    assert gold.labels["run"].annotator == "a3"
    assert gold.labels["run"].votes == {"a1": "not_met", "a2": "cannot_judge"}
    assert assigned("label", "adjudicate", "--as", "a3").out.startswith("0 leaves to decide")


def test_agreement_as_a_table_and_as_a_gate(assigned: Command, fill: Fill) -> None:
    assert "holds labels of 0 of 2 annotators" in assigned("label", "agreement").err
    fill("a1", ONE | {"prose": "not_met"})
    fill("a2", ONE)
    outcome = assigned("label", "agreement", "--min", "0.6")
    assert outcome.code == 1
    assert "--min 0.6: kappa is 0.400" in outcome.err
    assert max(map(len, outcome.out.splitlines()[:5])) == 80
    row = next(line for line in outcome.out.splitlines() if line.startswith("all "))
    assert row.split()[:4] == ["all", "3", "66.7%", "0.40"]
    assert assigned("label", "agreement", "--min", "0.4").code == 0
    found = assigned("label", "agreement", "--json").json["pairs"][-1]
    assert (found["both"], found["cannot_judge"]) == (3, 0)
    fill("a2", ONE | {"run": "cannot_judge"})
    outcome = assigned("label", "agreement", "--min", "0")
    assert "could not judge (in no figure): a1 0, a2 1" in outcome.out
    assert "one of them gave one verdict only" in outcome.out
    assert (outcome.code, "kappa is undefined" in outcome.err) == (1, True)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"verdict": "not_met"}, "not_met wants a reason"),
        ({"verdict": "cannot_judge", "reason": " "}, "cannot_judge wants a reason"),
        ({"verdict": "met"}, "mine.jsonl:1 label of 'code': met wants a reason or a citation"),
        ({"verdict": "met", "citations": ["a.py:1-2"]}, ""),
    ],
)
def test_reasons_are_asked_for(assigned: Command, row: dict[str, object], says: str) -> None:
    Path("mine.jsonl").write_text(json.dumps({"key": "code"} | row))
    outcome = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert says in outcome.err
    assert outcome.code == (3 if says else 0)


def test_a_share_of_the_leaves_and_labels_outside_of_it(
    command: Command, rubric: Path, submission: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--sample", "2", "--overlap", "0")
    outcome = command("label", "assign", submission, *how, "-o", "mine")
    assert outcome.out.startswith("2 of 3 leaves")
    plan = json.loads(Path("mine/plan.json").read_text())
    assert sorted(row["inclusion"] for row in plan["leaves"]) == [0.5, 1.0]
    rows = [{"key": key, "verdict": "met", "reason": "r"} for key in ("code", "prose", "run")]
    Path("all.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outcome = command("label", "import", "all.jsonl", "mine", "--as", "a1")
    assert "1 label not taken: of leaves not drawn" in outcome.err
    assert "1 label taken of leaves that were given to others" in outcome.err


def test_wrong_calls_say_what_mends_them(assigned: Command, rubric: Path, submission: Path) -> None:
    def assign(*more: str | Path) -> Outcome:
        return assigned("label", "assign", submission, "--rubric", rubric, *more)

    assert assign("--annotators", "../x").code == 2
    assert assign("--annotators", "a1", "--overlap", "half").code == 2
    inside = assign("--annotators", "a1", "-o", submission / "labels")
    assert (inside.code, "lies in the submission" in inside.err) == (2, True)
    assert not (submission / "labels").exists()
    taken = assign("--annotators", "a1")
    assert (taken.code, "error[E557]" in taken.err) == (3, True)
    assert "its plan: 3 leaves of " in taken.err
    assert " sub, for a1, a2" in taken.err
    assert assigned("label", "adjudicate", "--as", "A1").code == 2
    assert assigned("label", "export", "--as", "nobody").code == 2
    assert assigned("label", "export", "--format", "xml").code == 2
    assert assigned("label", "export").code == 3
    assert assigned("label", "import", rubric, "--as", "a3").code == 2
    assert assigned("label", "import", "none.jsonl", "--as", "a1").code == 3
    assert assign("--annotators", "a1", "-o", "labels/second").code == 0
    several = assigned("label", "status")
    assert (several.code, "2 labellings" in several.err) == (3, True)
    (FOLDER / "plan.json").write_text("{}")
    assert "damaged" in assigned("label", "status", FOLDER).err
    assert assigned("label", "status", "nowhere").code == 3


def test_json_is_one_document_everywhere(command: Command, rubric: Path, submission: Path) -> None:
    how = ("--rubric", rubric, "--annotators", "a1", "--json")
    plan = command("label", "assign", submission, *how).json
    assert (plan["drawn"], plan["annotators"][0]["leaves"]) == (3, 3)
    Path("mine.jsonl").write_text('{"key": "code", "verdict": "cannot_judge", "reason": "r"}')
    taken = command("label", "import", "mine.jsonl", "--as", "a1", "--json").json
    assert (taken["new"], taken["gold"], taken["gone"]) == (1, 0, [])
    decide = command("label", "adjudicate", "--as", "a2", "--json").json
    assert (decide["to_decide"], decide["waiting"]) == (1, 2)
    wrong = command("label", "agreement", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (3, "E555")


def test_three_annotators_are_shown_by_twos_and_together(
    command: Command, rubric: Path, submission: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2,a3", "--overlap", "100")
    command("label", "assign", submission, *how)
    for name, verdicts in (("a1", ONE), ("a2", ONE), ("a3", OTHER)):
        rows = [{"key": key, "verdict": said, "reason": "r"} for key, said in verdicts.items()]
        Path("mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
        command("label", "import", "mine.jsonl", "--as", name)
    outcome = command("label", "agreement", "--min", "0.9")
    lines = outcome.out.splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("a1")] == [
        ["a1", "a2", "3"], ["a1", "a3", "2"]
    ]  # fmt: skip
    assert max(map(len, lines[:5])) == 80
    assert "alpha is" in outcome.err


def test_replayed_labels_say_what_is_left_out(
    command: Command, rubric: Path, submission: Path
) -> None:
    rows = [{"key": "code", "verdict": "met"}, {"key": "prose", "verdict": "met", "blind": False}]
    Path("mine.jsonl").write_text("\n".join([*map(json.dumps, rows), '{"key": "ru']))
    how = ("--rubric", rubric, "--labels", "mine.jsonl", "--sandbox", "none")
    outcome = command("grade", submission, *how)
    assert "mine.jsonl:3: the last line is cut short" in outcome.err
    assert "1 label left out: made with a judge in sight" in outcome.err


def test_paths_to_type_are_never_cut_and_figures_have_a_legend(
    assigned: Command, fill: Fill, rubric: Path, submission: Path
) -> None:
    long = f"labels/{'a-long-name-' * 8}x"
    how = ("--rubric", rubric, "--annotators", "a1", "-o", long)
    assert f"{long}/todo-a1.jsonl" in assigned("label", "assign", submission, *how).out
    fill("a1", ONE)
    fill("a2", ONE)
    assert "AC1: Gwet's" in assigned("label", "agreement", FOLDER).out
