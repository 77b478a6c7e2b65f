"""The plan of a labelling, and the work that was done on it: neither is lost or replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_labels
from tests.cli.assigning import FOLDER, ONE, OTHER, Fill, assigned, fill
from tests.cli.conftest import Command

__all__ = ["assigned", "fill"]


def test_a_correction_is_another_line_and_the_later_one_counts(fill: Fill) -> None:
    fill("a1", ONE)
    assert "1 corrected, 2 unchanged" in fill("a1", ONE | {"run": "met"}).out
    assert len((FOLDER / "a1.jsonl").read_text().splitlines()) == 4
    assert load_labels(FOLDER / "a1.jsonl").labels["run"].verdict == "met"


@pytest.mark.parametrize(
    "torn", ['{"key": "code", "verd', '{"key": "code", "citations": [{"a": 1}']
)
def test_what_a_crash_tore_is_told_and_does_no_harm(fill: Fill, torn: str) -> None:
    fill("a1", ONE)
    with (FOLDER / "a1.jsonl").open("a") as file:
        file.write(torn)
    assert "warning: labels/small-sub/a1.jsonl:4: the last line" in fill("a1", OTHER).err
    assert load_labels(FOLDER / "a1.jsonl").warnings == ()


def test_what_an_adjudicator_filled_in_is_never_written_over(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    fill("a2", OTHER)
    assigned("label", "adjudicate", "--as", "a3")
    file = FOLDER / "adjudicate-a3.jsonl"
    first, second = map(json.loads, file.read_text().splitlines())
    assert first["annotator"] == "a3"
    begun = json.dumps(first | {"verdict": "met", "reason": "clear"})
    file.write_text(f"{begun}\n{json.dumps(second)}\n")
    assigned("label", "adjudicate", "--as", "a3")
    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        json.loads(begun),
        second,
    ]
    fill("a2", ONE)  # nothing is disputed any more, and what was decided stays in the file
    assigned("label", "adjudicate", "--as", "a3")
    assert [json.loads(line) for line in file.read_text().splitlines()] == [json.loads(begun)]
    for damage in (f"{begun}\n{{oops\n", f'{begun}\n{{"key": "run", "verd'):
        file.write_text(damage)
        assert assigned("label", "adjudicate", "--as", "a3").code == 3
        assert file.read_text() == damage


def test_a_plan_that_was_lost_costs_no_filled_line(
    assigned: Command, rubric: Path, submission: Path
) -> None:
    file = FOLDER / "todo-a1.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[0]["reason"] = "half a thought"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (FOLDER / "plan.json").unlink()
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assert assigned("label", "assign", submission, *how).code == 0
    assert [json.loads(line) for line in file.read_text().splitlines()] == rows


def test_decisions_that_were_not_made_blind_are_told_and_in_no_gold(
    assigned: Command, fill: Fill
) -> None:
    fill("a1", ONE)
    fill("a2", OTHER)
    assigned("label", "adjudicate", "--as", "a3")
    file = FOLDER / "adjudicate-a3.jsonl"
    rows = [json.loads(line) | {"verdict": "met", "reason": "r", "blind": False}
            for line in file.read_text().splitlines()]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = "2 labels made with a judge's verdict in sight: no truth, not used"
    imported = assigned("label", "import", file, "--as", "a3")
    assert "gold: 1 of 3 leaves, 2 to decide" in imported.out
    assert told in imported.out
    for shown in ("status", "adjudicate"):
        more = ("--as", "a3") if shown == "adjudicate" else ()
        assert told in assigned("label", shown, *more).out
        assert assigned("label", shown, *more, "--json").json["seen"] == 2
    assert [*load_labels(FOLDER / "gold.jsonl").labels] == ["code"]
    outcome = assigned("label", "export")
    assert (len(outcome.out.splitlines()), told in outcome.err) == (1, True)
    tree = assigned("label", "export", "--as", "a3", "--format", "paperbench")
    assert "2 labels left out: made with a judge in sight" in tree.err
    assert '"score": 1' not in tree.out


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("status", "nowhere"), "E505"),
        (("status",), "E553"),
        (("status", "labels/damaged"), "E552"),
        (("export", FOLDER), "E554"),
        (("agreement", FOLDER), "E555"),
        (("import", "unreasoned.jsonl", FOLDER, "--as", "a1"), "E551"),
        (("import", "strange.jsonl", FOLDER, "--as", "a1"), "E502"),
    ],
)
def test_each_trouble_has_a_code_of_its_own(
    assigned: Command, call: tuple[str | Path, ...], code: str
) -> None:
    Path("labels/damaged").mkdir()
    Path("labels/damaged/plan.json").write_text("{}")
    Path("unreasoned.jsonl").write_text('{"key": "code", "verdict": "met"}')
    Path("strange.jsonl").write_text('{"key": "x", "verdict": "met", "reason": "r"}')
    assert f"error[{code}]" in assigned("label", *call).err


def test_a_plan_with_a_leaf_twice_is_refused_with_its_file(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    plan = json.loads((FOLDER / "plan.json").read_text())
    twice = plan | {"leaves": [*plan["leaves"][:2], plan["leaves"][0]]}
    (FOLDER / "plan.json").write_text(json.dumps(twice))
    for call in ("status", "agreement"):
        refused = assigned("label", call)
        assert (refused.code, "error[E552]" in refused.err) == (3, True)
        assert f"{FOLDER}/plan.json is damaged: leaf 'code' stands twice" in refused.err
    plan["leaves"][0]["leaf"] = "0" * 64
    (FOLDER / "plan.json").write_text(json.dumps(plan))
    refused = assigned("label", "adjudicate", "--as", "a3")
    assert refused.code == 3
    assert f"{FOLDER}" in refused.err


def test_a_rubric_that_is_not_the_plans_is_refused(assigned: Command, rubric: Path) -> None:
    text = (FOLDER / "rubric.json").read_text()
    (FOLDER / "rubric.json").write_text(text.replace("out.csv", "other.csv"))
    Path("mine.jsonl").write_text('{"key": "code", "verdict": "met", "reason": "r"}')
    refused = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert (refused.code, "rubric.json is damaged" in refused.err) == (3, True)
