"""What comes next once all have a label: the page's server and the terminal say the same."""

from __future__ import annotations

from dataclasses import asdict

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.following import next_steps
from rubric_engine.judgeeval.labelling.gold import gold_of
from rubric_engine.judgeeval.labelling.planning import planned_leaves
from rubric_engine.labels import Label
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
from tests.web.conftest import Sit


def _all_of(folder: LabelFolder, verdict: str, reason: str = "seen") -> dict[str, Label]:
    label = Label.model_validate({"verdict": verdict, "reason": reason})
    return {leaf.key: label for leaf in folder.plan.leaves}


def _commands(steps: list[dict[str, str]]) -> list[str]:
    return [step["command"].split(" ")[2] for step in steps]


def test_each_stage_names_its_commands(folder: LabelFolder, case: Case, sit: Sit) -> None:
    one, other = (blind_desk(folder, name, case) for name in ("a1", "a2"))
    page = sit(one)
    one.book.put(_all_of(folder, "met"))
    steps = page.ask("/api/next").json["steps"]
    assert _commands(steps) == ["serve", "agreement"]
    assert (steps[0]["command"][-7:], steps[0]["why"]) == ("--as a2", "a2 has leaves left")
    assert str(folder.path) in steps[1]["command"]
    other.book.put(_all_of(folder, "not_met"))
    assert _commands(page.ask("/api/next").json["steps"]) == ["agreement", "adjudicate"]
    third = deciding_desk(folder, "a3", case)
    third.book.put(_all_of(folder, "met"))
    steps = sit(third).ask("/api/next").json["steps"]
    assert _commands(steps) == ["agreement", "export"]
    labels = folder.all_labels()
    gold = gold_of(folder.plan, labels, folder.decisions())
    assert steps == [
        asdict(step) for step in next_steps(folder.plan, labels, str(folder.path), gold)
    ]


def test_who_labels_blind_is_not_told_whether_others_said_the_same(
    folder: LabelFolder, case: Case, sit: Sit
) -> None:
    one, other = (blind_desk(folder, name, case) for name in ("a1", "a2"))
    page = sit(one)
    for desk in (one, other):
        desk.book.put(_all_of(folder, "met"))
    alike = page.ask("/api/next").json
    other.book.put(_all_of(folder, "not_met"))
    assert page.ask("/api/next").json == alike


def test_one_alone_has_nobody_to_agree_with(folder: LabelFolder) -> None:
    rubric = folder.rubric
    alone = {"annotators": ("a1",), "leaves": planned_leaves(rubric, ("a1",))}
    plan = folder.plan.model_copy(update=alone)
    labels = {"a1": folder.labels_of("a1").model_copy(update={"labels": _all_of(folder, "met")})}
    (step,) = next_steps(plan, labels, "labels/my task")
    assert step.command == "rubric-engine label export 'labels/my task' -o FILE"
