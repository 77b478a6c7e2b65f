"""`audit score`: a score from the labels of a plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.auditing import LEAVES, Grade, fill, graded, rubric, rubric_text, submission, truth
from tests.cli.conftest import Command

__all__ = ["graded", "rubric", "submission"]


def test_a_score_from_labels(command: Command, graded: Grade) -> None:
    run = graded()
    assert command("audit", "plan", run, "--labels", "25").code == 0
    fill(run / "audit-labels.jsonl", truth)
    done = command("audit", "score", "latest")
    assert done.code == 0
    first, blank, *lines = done.out.splitlines()
    assert first.endswith(" audited")
    assert " to " in first.split(" judge, ")[0]  # three leaves are open
    assert blank == ""
    assert any(line.startswith("labels      25 of 32 leaves, ") for line in lines)
    assert any(line.startswith("interval    95% verdict-Beta") for line in lines)
    assert any(line.startswith("difference  ") for line in lines)
    assert any(line.startswith("judge       rules   sha ") for line in lines)
    assert any(line.startswith("graded      29 of 32 leaves, ") for line in lines)
    found = command("audit", "score", run, run / "audit-labels.jsonl", "--json").json
    weights = [1 + i % 7 for i in range(LEAVES)]
    human = (sum(w for i, w in enumerate(weights) if i % 3) + 2) / (sum(weights) + 2)
    assert found["audited"]["low"] <= human <= found["audited"]["high"]
    assert found["judged"]["low"] <= human <= found["judged"]["high"]
    assert found["labels"]["used"] == 25
    assert found["runs"][0]["judge"]["name"] == "rules"
    assert found["exit_code"] == 0


def test_all_leaves_labelled_give_the_humans_score(command: Command, graded: Grade) -> None:
    run = graded()
    planned = command("audit", "plan", "latest", "--labels", "500")
    assert planned.out.startswith("all 32 leaves with worth are to be labelled")
    assert "the exact score" in planned.out
    fill(run / "audit-labels.jsonl", lambda _: "met")
    done = command("audit", "score", "latest")
    assert done.out.splitlines()[0].endswith(" judge, 1.00 audited")
    assert "interval    none" in done.out


def test_a_judge_is_named_with_its_model(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    for card, line in (
        ({"model": {"name": "m-1 \x1b[31m"}}, "judge       rules m-1 \\u{1b}[31m   sha "),
        ({"model": ["m-1"]}, "judge       rules   sha "),
        (None, "judge       rules   sha "),
    ):
        report = json.loads((run / "report.json").read_text())
        report["provenance"]["judge"]["card"] = card
        (run / "report.json").write_text(json.dumps(report))
        assert line in command("audit", "score", run).out


def test_few_labels_come_with_a_warning(command: Command, graded: Grade) -> None:
    run = graded()
    assert "warning  below 20 labels" in command("audit", "plan", "latest", "--labels", "8").out
    fill(run / "audit-labels.jsonl", truth)
    assert "warning     8 labels are few" in command("audit", "score", "latest").out


@pytest.mark.parametrize(("verdict", "why"), [(None, "no label"), ("cannot_judge", "cannot_judge")])
def test_every_drawn_leaf_needs_a_verdict(
    command: Command, graded: Grade, verdict: str | None, why: str
) -> None:
    run = graded()
    drawn = command("audit", "plan", "latest", "--labels", "20", "--json").json["runs"][0]["drawn"]
    lacking = drawn[3:5]
    fill(run / "audit-labels.jsonl", lambda row: verdict if row["key"] in lacking else "met")
    refused = command("audit", "score", "latest")
    assert refused.code == 3
    assert "error[E503] 2 of 20 drawn leaves have no verdict" in refused.err
    assert f"{why}: {', '.join(map(repr, lacking))}" in refused.err
    assert command("audit", "score", "latest", "--json").json["error"]["code"] == "E503"


def test_a_group_that_is_no_mean_is_labelled_whole(
    command: Command, graded: Grade, rubric: Path
) -> None:
    rubric.write_text(rubric_text(aggregate="all"))
    run = graded()
    planned = command("audit", "plan", "latest", "--labels", "31")
    assert planned.out.startswith("all 32 leaves")
    assert (
        "note     whole is no weighted mean: it is drawn as one, with all its leaves" in planned.out
    )
    fill(run / "audit-labels.jsonl", lambda row: "not_met" if row["key"] == "w1" else "met")
    found = command("audit", "score", "latest", "--json").json
    weights = sum(1 + i % 7 for i in range(LEAVES))
    assert found["audited"]["value"] == pytest.approx(weights / (weights + 2))
    result = command("audit", "score", "latest", "--transport", "nowhere")
    assert (result.code, "E547" in result.err) == (3, True)


def test_a_judge_that_graded_nothing_and_one_that_sets_leaves_aside(
    command: Command, graded: Grade
) -> None:
    run = graded()
    for grade, note in (
        ({"status": "ungradeable", "reason": "needs_model"}, "the judge graded nothing"),
        ({"status": "not_applicable"}, "32 leaves of which the judge says that they do not apply"),
    ):
        report = json.loads((run / "report.json").read_text())
        report["grades"] = dict.fromkeys(report["grades"], grade)
        (run / "report.json").write_text(json.dumps(report))
        assert command("audit", "plan", "latest", "--labels", "20").code == 0
        fill(run / "audit-labels.jsonl", truth)
        done = command("audit", "score", "latest")
        assert done.out.startswith("0.00 to 1.00 judge, 0.")
        assert note in done.out


def test_another_grading_of_the_submission_may_use_the_plan(
    command: Command, graded: Grade, submission: Path
) -> None:
    first, second = graded(), graded()
    command("audit", "plan", first, "--labels", "20")
    fill(first / "audit-labels.jsonl", truth)
    plan = ("--plan", str(first / "audit.json"))
    assert command("audit", "score", second, *plan).code == 0
    assert command("audit", "score", second).code == 3  # it has no plan of its own
    (submission / "b.py").write_text("x = 1\n")
    other = command("audit", "score", graded(), *plan)
    assert (other.code, "E509" in other.err, "the submission of" in other.err) == (3, True, True)


def test_a_sample_that_somebody_chose_is_refused(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    plan = json.loads((run / "audit.json").read_text())
    chance, drawn = plan["runs"][0]["chance"], plan["runs"][0]["drawn"]
    swapped = next(key for key in drawn if 0 < chance[key] < 1 and truth({"key": key}) != "met")
    chosen = next(key for key in chance if key not in drawn and truth({"key": key}) == "met")
    plan["runs"][0]["drawn"] = [key for key in chance if key in {*drawn, chosen} - {swapped}]
    (run / "audit.json").write_text(json.dumps(plan))
    with (run / "audit-labels.jsonl").open("a") as file:
        file.write(json.dumps({"key": chosen, "verdict": "met"}) + "\n")
    refused = command("audit", "score", run)
    assert (refused.code, "error[E562]" in refused.err) == (3, True)
    assert f"in the plan only: '{chosen}'" in refused.err
    assert f"by the seed only: '{swapped}'" in refused.err
