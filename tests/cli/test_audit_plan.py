"""`audit plan`: what is drawn to be labelled, and when a plan counts no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.auditing import LEAVES, Grade, fill, graded, rubric, rubric_text, submission, truth
from tests.cli.conftest import Command

__all__ = ["graded", "rubric", "submission"]


def test_a_plan_is_blind_kept_and_the_same_again(command: Command, graded: Grade) -> None:
    run = graded()
    done = command("audit", "plan", "latest", "--labels", "20")
    assert done.code == 0
    first, *lines = done.out.splitlines()
    assert first == "20 of 32 leaves to label, drawn in proportion to worth, seed 0"
    assert max(map(len, lines[:24])) <= 80
    keys = [line.split()[0] for line in lines if line.startswith("n") and "defines" in line]
    order = [f"n{i}" for i in range(LEAVES)]
    assert keys == sorted(keys, key=order.index)
    assert "note     40 labels or more are advised" in lines
    for seen in ("%", "worth ", "not met", "python_defines"):
        assert seen not in (run / "audit-labels.jsonl").read_text()
    before = (run / "audit.json").read_bytes()
    fill(run / "audit-labels.jsonl", truth)
    labelled = (run / "audit-labels.jsonl").read_bytes()
    assert command("audit", "plan", "latest", "--labels", "20").out == done.out
    assert (run / "audit.json").read_bytes() == before
    assert (run / "audit-labels.jsonl").read_bytes() == labelled
    kept = json.loads(before)
    assert (kept["seed"], kept["labels"]) == (0, 20)
    assert sum(kept["runs"][0]["chance"].values()) == pytest.approx(20)


@pytest.mark.parametrize("more", [("--seed", "1"), ("--labels", "21")])
def test_another_plan_does_not_take_the_place_of_one(
    command: Command, graded: Grade, more: tuple[str, str]
) -> None:
    run = graded()
    command("audit", "plan", "latest", "--labels", "20")
    before = (run / "audit.json").read_bytes()
    refused = command("audit", "plan", "latest", "--labels", "20", *more)
    assert (refused.code, (run / "audit.json").read_bytes()) == (2, before)
    assert "E010" in refused.err
    assert "--labels 20 --seed 0" in refused.err
    elsewhere = command("audit", "plan", "latest", "--labels", "20", *more, "-o", "new/b.json")
    assert elsewhere.code == 0
    assert "--plan new/b.json" in elsewhere.out
    assert Path("new/b-labels.jsonl").is_file()


def test_a_run_over_one_category_is_audited_over_it(command: Command, graded: Grade) -> None:
    graded("--category", "Result Analysis")
    planned = command("audit", "plan", "latest", "--labels", "20")
    assert "note     only Result Analysis was graded, and the score is of that" in planned.out
    assert "Code Development" not in planned.out


def test_a_disqualified_run_is_not_audited(command: Command, graded: Grade) -> None:
    run = graded()
    report = json.loads((run / "report.json").read_text())
    report["disqualified"] = "used the authors' code \x1b[31m"
    (run / "report.json").write_text(json.dumps(report))
    refused = command("audit", "plan", "latest")
    assert (refused.code, "E523" in refused.err, "\x1b" in refused.err) == (3, True, False)


def test_a_view_without_worth_is_not_audited(command: Command, graded: Grade, rubric: Path) -> None:
    weightless = "    - {id: z, requirements: nothing, weight: 0, task_category: Code Execution}\n"
    rubric.write_text(rubric_text() + weightless)
    graded("--category", "Code Execution")
    refused = command("audit", "plan", "latest")
    assert (refused.code, "E561" in refused.err, "no leaf with worth" in refused.err) == (
        3,
        True,
        True,
    )


def test_a_rubric_that_changed_since_is_an_error(
    command: Command, graded: Grade, rubric: Path
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    rubric.write_text(rubric_text().replace("weight: 3", "weight: 4"))
    changed = command("audit", "score", graded(), "--plan", run / "audit.json")
    assert (changed.code, "the rubric of" in changed.err) == (3, True)
    rows = [json.loads(line) for line in (run / "audit-labels.jsonl").read_text().splitlines()]
    lines = [json.dumps(row | {"leaf": "0" * 64}) for row in rows]
    (run / "audit-labels.jsonl").write_text("\n".join(lines))
    other_text = command("audit", "score", run)
    assert (other_text.code, "E507" in other_text.err) == (3, True)
    assert "audit-labels.jsonl:1" in other_text.err


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda plan: plan["runs"][0]["chance"].update(n7=0.5), "E562"),
        (lambda plan: plan["runs"][0]["chance"].pop("n7"), "E562"),
        (lambda plan: plan["runs"][0]["drawn"].pop(), "E562"),
        (lambda plan: plan["runs"][0].update(drawn=["n7"] * 20), "E562"),
        (lambda plan: plan["runs"][0].update(drawn=[f"x{i}" for i in range(20)]), "E562"),
        (lambda plan: plan["runs"][0]["chance"].update(n7=float("nan")), "E562"),
        (lambda plan: plan["runs"][0]["drawn"].reverse(), "E562"),
        (lambda plan: plan.update(seed=99), "E562"),
        (lambda plan: plan.update(seed=10**40), "E508"),
        (lambda plan: plan.update(labels=0), "E508"),
        (lambda plan: plan.update(seed=-1), "E508"),
        (lambda plan: plan.update(runs=[]), "E508"),
        (lambda plan: plan.update(audit=2), "E508"),
        (lambda plan: plan["runs"].append(plan["runs"][0]), "E508"),
    ],
)
def test_a_plan_that_was_changed_is_refused(
    command: Command, graded: Grade, change: Callable[[Any], Any], code: str
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    plan = json.loads((run / "audit.json").read_text())
    change(plan)
    (run / "audit.json").write_text(json.dumps(plan))
    refused = command("audit", "score", run)
    assert (refused.code, f"error[{code}]" in refused.err) == (3, True), refused.err


def test_usage(command: Command, graded: Grade) -> None:
    graded()
    for wrong in (("--labels", "0"), ("--seed", "-1")):
        assert command("audit", "plan", "latest", *wrong).code == 2
    unplanned = command("audit", "score", "latest", "labels.jsonl")
    assert (unplanned.code, "E508" in unplanned.err) == (3, True)
    command("audit", "plan", "latest", "--labels", "20")
    missing = command("audit", "score", "latest", "none.jsonl")
    assert (missing.code, "none.jsonl" in missing.err) == (3, True)


def test_a_plan_says_which_submission_and_why_so_many_leaves(
    command: Command, graded: Grade, rubric: Path
) -> None:
    heavy = rubric_text(aggregate="min").replace("      weight: 2\n", "      weight: 40\n")
    rubric.write_text(heavy)
    run = graded()
    sha = json.loads((run / "run.json").read_text())["submission_sha256"]
    done = command("audit", "plan", run, "--labels", "20")
    assert f"open     the folder of the submission: sub, sha {sha[:8]}" in done.out
    assert "20 asked for: a group that is drawn as one brings all its leaves" in done.out
    kept = json.loads((run / "audit.json").read_text())["runs"][0]
    sure = [key for key, chance in kept["chance"].items() if chance == 1]
    assert f"{len(sure)} drawn with chance 1, for their worth: " in done.out
    (row, *_) = map(json.loads, (run / "audit-labels.jsonl").read_text().splitlines())
    assert row["submission"] == f"{sha[:12]} sub"
    assert row["question"]
    many = command("audit", "benchmark", "plan", run, "--labels", "20", "-o", "bench")
    assert ["21", run.name, "sub", sha[:8]] in [x.split() for x in many.out.splitlines()]
