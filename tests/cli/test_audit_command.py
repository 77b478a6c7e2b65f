"""`audit plan`, `audit score` and `audit benchmark`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.judgeeval import (
    CaseResult,
    Evaluation,
    JudgeIdentity,
    LeafResult,
    save_evaluation,
)
from rubric_engine.judgeeval.audit_transport import corrected_elsewhere
from rubric_engine.judgeeval.auditing import AuditedRun
from rubric_engine.labels import Format, labels_text, load_labels
from tests.cli.conftest import Command

LEAVES = 30
OPEN = 3
"""Leaves without a check, which the judge cannot grade."""


def rubric_text(*, aggregate: str = "weighted_mean", unchecked: int = OPEN) -> str:
    """Thirty leaves of unequal weight, of which some have no check, and a small group."""
    rows = [
        f"    - {{id: n{i}, requirements: a.py defines f{i}, weight: {1 + i % 7}, "
        f"task_category: {'Code Development' if i % 2 else 'Result Analysis'}"
        + ("" if i < unchecked else f", checks: [{{python_defines: {{file: a.py, name: f{i}}}}}]")
        + "}"
        for i in range(LEAVES)
    ]
    group = (
        f"    - id: whole\n      requirements: both of it\n      aggregate: {aggregate}\n"
        "      weight: 2\n      sub_tasks:\n"
        "        - {id: w1, requirements: one, task_category: Code Development, "
        "checks: [{python_defines: {file: a.py, name: f4}}]}\n"
        "        - {id: w2, requirements: two, task_category: Code Development, "
        "checks: [{python_defines: {file: a.py, name: f5}}]}\n"
    )
    head = "rubric: 1\ntitle: thirty\nroot:\n  id: root\n  requirements: all\n  sub_tasks:\n"
    return head + "\n".join(rows) + "\n" + group


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "rubric-here" / "thirty.yaml"
    path.parent.mkdir()
    path.write_text(rubric_text())
    return path


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    folder = tmp_path / "sub" / "submission"
    folder.mkdir(parents=True)
    defined = (f"def f{i}():\n    return {i}\n" for i in range(LEAVES) if i % 3)
    (folder / "a.py").write_text("\n".join(defined))
    return folder


Grade = Callable[..., Path]


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path) -> Grade:
    """Grade the submission, and give the run's folder."""

    def go(*more: str) -> Path:
        done = command(
            "grade",
            submission,
            "--rubric",
            rubric,
            "--judge",
            "rules",
            "--executed",
            "--json",
            *more,
        )
        assert done.code == 0, done.err
        return Path(done.json["run"])

    return go


def fill(sheet: Path, verdict: Callable[[dict[str, Any]], str | None]) -> None:
    """Label every line."""
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    lines = [json.dumps(row | {"verdict": verdict(row)}) for row in rows]
    sheet.write_text("\n".join(lines) + "\n")


def truth(row: dict[str, Any]) -> str:
    """What the submission really defines."""
    number = {"w1": 4, "w2": 5}.get(row["key"]) or int(row["key"][1:])
    return "met" if number % 3 else "not_met"


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


def test_other_labels_are_told_and_the_last_line_counts(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", "latest", "--labels", "20")
    fill(run / "audit-labels.jsonl", lambda _: "not_met")
    lines = (run / "audit-labels.jsonl").read_text()
    keys = [json.loads(line)["key"] for line in lines.splitlines()]
    again = "".join(json.dumps({"key": key, "verdict": "met"}) + "\n" for key in keys)
    Path("labels.jsonl").write_text(lines + again + '{"key": "nobody", "verdict": "met"}\n')
    found = command("audit", "score", "latest", "labels.jsonl")
    assert "note        20 lines overridden by later ones of the same leaves" in found.out
    assert "note        1 label of leaves that were not drawn: ignored" in found.out
    whole = command("audit", "score", "latest", "labels.jsonl", "--json").json
    assert whole["audited"]["high"] == 1


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


def evaluation(
    judge: str,
    *,
    submission: str | None = None,
    per_class: int = 30,
    finished: bool = True,
    lost: int = 0,
    open_: int = 0,
) -> Evaluation:
    """What a judge that is right nine times of ten said of another submission."""
    leaves = tuple(
        LeafResult(
            case="other",
            key=f"{category[0]}{label}{i}",
            parent="root",
            category=category,
            worth=1 / (4 * per_class),
            label=label,
            status="graded",
            score=label if i % 10 else 1 - label,
        )
        for category in ("Code Development", "Result Analysis")
        for label in (0, 1)
        for i in range(per_class)
    )
    hole = {"status": "ungradeable", "score": None, "reason": "infra"}
    holes = tuple(leaf.model_copy(update=hole) for leaf in leaves[:open_])
    case = CaseResult(
        name="other",
        task="t",
        rubric_sha256="r",
        labels_sha256="l",
        annotator="a",
        submission_sha256=submission,
        leaves=len(leaves),
        labelled=len(leaves),
        asked=len(leaves),
        finished=finished,
    )
    return Evaluation(
        name="elsewhere",
        judge=JudgeIdentity(name="rules", fingerprint=judge),
        made_at="2026-01-01T00:00:00+00:00",
        version="0",
        cases=(case,),
        leaves=(*holes, *leaves[open_ + lost :]),
    )


@pytest.mark.parametrize(
    ("unchecked", "change", "refused"),
    [
        (0, {}, None),
        (OPEN, {}, "every leaf needs a grade, and 3 have none"),
        (0, {"judge": "another"}, "rates of judge another"),
        (0, {"submission": "this one"}, "case 'other' is this submission itself"),
        (0, {"per_class": 10}, "fewer than 20"),
        (0, {"finished": False}, "not complete, still to be judged: 'other'"),
        (0, {"lost": 1}, "not complete, leaves of 'other' are missing from the file"),
        (0, {"open_": 1}, "labelled leaves without a grade, which rates leave out: 1"),
    ],
)
def test_rates_from_elsewhere(
    command: Command,
    graded: Grade,
    rubric: Path,
    unchecked: int,
    change: dict[str, Any],
    refused: str | None,
) -> None:
    rubric.write_text(rubric_text(unchecked=unchecked))
    run = graded()
    facts = json.loads((run / "run.json").read_text())
    if "submission" in change:
        change = {"submission": facts["submission_sha256"]}
    made = evaluation(**{"judge": facts["judge"]["fingerprint"]} | change)
    save_evaluation(made, "elsewhere")
    command("audit", "plan", "latest", "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    assert "transport" not in command("audit", "score", "latest").out
    done = command("audit", "score", "latest", "--transport", "elsewhere")
    found = command("audit", "score", "latest", "--transport", "elsewhere", "--json").json
    assert done.code == 0
    if refused is None:
        judged = found["judged"]["low"]
        assert found["transported"]["value"] == pytest.approx((judged - 0.1) / 0.8)
        assert (
            "by Rogan-Gladen, if the judge errs here as it did in\n            elsewhere\n"
            in done.out
        )
    else:
        assert "transport   refused" in done.out
        assert refused in done.out
        assert found["transported"]["value"] is None


def test_a_run_over_one_category_is_audited_over_it(command: Command, graded: Grade) -> None:
    graded("--category", "Result Analysis")
    planned = command("audit", "plan", "latest", "--labels", "20")
    assert "note     only Result Analysis was graded, and the score is of that" in planned.out
    assert "Code Development" not in planned.out


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


def test_a_benchmark_spreads_labels_over_runs(
    command: Command, graded: Grade, submission: Path
) -> None:
    first = graded()
    (submission / "a.py").write_text("def f3():\n    return 3\n")
    second = graded()
    planned = command("audit", "benchmark", "plan", first, second, "--labels", "30", "-o", "bench")
    assert planned.code == 0
    assert planned.out.startswith("30 of 64 leaves of 2 runs to label, ")
    assert "next     rubric-engine audit benchmark score bench" in planned.out
    rows = [json.loads(line) for line in Path("bench/audit-labels.jsonl").read_text().splitlines()]
    assert {row["run"] for row in rows} == {first.name, second.name}
    fill(
        Path("bench/audit-labels.jsonl"),
        lambda row: (
            truth(row) if row["run"] == first.name else ("met" if row["key"] == "n3" else "not_met")
        ),
    )
    done = command("audit", "benchmark", "score", "bench")
    assert done.out.splitlines()[0].endswith(" audited   mean of 2 runs")
    found = command("audit", "benchmark", "score", "bench", "--json").json
    weights = [1 + i % 7 for i in range(LEAVES)]
    total = sum(weights) + 2
    human = (sum(w for i, w in enumerate(weights) if i % 3) + 2 + weights[3]) / total / 2
    assert found["audited"]["low"] <= human <= found["audited"]["high"]
    single = command("audit", "score", first, "--plan", "bench/audit.json")
    assert (single.code, "audit benchmark score bench" in single.err) == (2, True)
    plan = json.loads(Path("bench/audit.json").read_text())
    plan["runs"][0]["path"] = "no\0where"
    Path("bench/audit.json").write_text(json.dumps(plan))
    assert command("audit", "benchmark", "score", "bench").code == 0  # found by its name
    moved = first.with_name("moved") / first.name
    moved.parent.mkdir()
    shutil.move(first, moved)
    assert command("audit", "benchmark", "score", "bench").code == 3
    assert command("audit", "benchmark", "score", "bench", "--runs", moved.parent).code == 0


def test_a_benchmark_takes_each_run_once(command: Command, graded: Grade) -> None:
    run = graded()
    twice = command("audit", "benchmark", "plan", run, "latest", "-o", "bench")
    assert (twice.code, "two runs are called" in twice.err) == (2, True)
    assert not Path("bench").exists()


def test_usage(command: Command, graded: Grade) -> None:
    graded()
    for wrong in (("--labels", "0"), ("--seed", "-1")):
        assert command("audit", "plan", "latest", *wrong).code == 2
    unplanned = command("audit", "score", "latest", "labels.jsonl")
    assert (unplanned.code, "E508" in unplanned.err) == (3, True)
    command("audit", "plan", "latest", "--labels", "20")
    missing = command("audit", "score", "latest", "none.jsonl")
    assert (missing.code, "none.jsonl" in missing.err) == (3, True)


@pytest.mark.parametrize("suffix", ["jsonl", "yaml", "csv"])
def test_labels_of_another_text_are_refused_in_every_format(
    command: Command, graded: Grade, suffix: Format
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    labels = load_labels(run / "audit-labels.jsonl")
    file = Path(f"labels.{suffix}")
    file.write_text(labels_text(labels, suffix))
    assert command("audit", "score", run, file).code == 0
    first = next(iter(labels.labels))
    labels.labels[first] = labels.labels[first].model_copy(update={"leaf": "0" * 64})
    file.write_text(labels_text(labels, suffix))
    other = command("audit", "score", run, file)
    assert (other.code, "E507" in other.err, str(file) in other.err) == (3, True, True)


@pytest.mark.parametrize("suffix", ["jsonl", "yaml", "csv"])
def test_labels_that_were_not_made_blind_are_refused_unless_asked_for(
    command: Command, graded: Grade, suffix: Format
) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    labels = load_labels(run / "audit-labels.jsonl")
    for key in list(labels.labels)[:2]:
        labels.labels[key] = labels.labels[key].model_copy(update={"blind": False})
    file = Path(f"labels.{suffix}")
    file.write_text(labels_text(labels, suffix))
    refused = command("audit", "score", run, file)
    assert (refused.code, "E563" in refused.err, "add --seen" in refused.err) == (3, True, True)
    assert "2 of 20 labels were made with a judge's verdict in sight" in refused.err
    taken = command("audit", "score", run, file, "--seen")
    assert "warning     2 labels made with a judge's verdict in sight" in taken.out
    found = command("audit", "score", run, file, "--seen", "--json").json
    assert (found["labels"]["seen"], found["warnings"]) == (2, [found["warnings"][0]])


def test_what_is_wrong_in_a_line_is_told_with_its_place(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    fill(run / "audit-labels.jsonl", truth)
    lines = (run / "audit-labels.jsonl").read_text()
    torn = Path("torn.jsonl")
    torn.write_text(lines + '{"key": "n1", "verd')
    assert "warning     torn.jsonl:21: the last line is cut short" in (
        command("audit", "score", run, torn).out
    )
    torn.write_text(lines + '{"key": "n1", "verdict": "mets"}\n')
    wrong = command("audit", "score", run, torn)
    assert (wrong.code, "torn.jsonl:21" in wrong.err, "E501" in wrong.err) == (3, True, True)
    torn.write_text(lines + '{"key": "n1", "verdict": "met", "blnd": false}\n')
    assert "unknown key 'blnd'" in command("audit", "score", run, torn).err


def test_rates_keep_the_threshold_of_their_results(command: Command, graded: Grade) -> None:
    run = AuditedRun.of(graded())
    judge = run.report.provenance["judge"]["fingerprint"]
    made = evaluation(judge)
    low = made.model_copy(update={"name": "low", "threshold": 0.3})
    assert any("from different scores on: 0.3, 0.5" in why
               for why in corrected_elsewhere(run, [made, low]).refused)  # fmt: skip


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


def test_labels_of_another_run_override_none(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    sheet = run / "audit-labels.jsonl"
    fill(sheet, truth)
    before = command("audit", "score", run, "--json").json["audited"]
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    with sheet.open("a") as file:
        file.writelines(json.dumps(row | {"run": "x", "verdict": "met"}) + "\n" for row in rows)
    found = command("audit", "score", run, "--json").json
    assert (found["audited"], found["labels"]["elsewhere"]) == (before, 20)
    assert "20 labels of other runs, by their `run`: ignored" in command("audit", "score", run).out
    sheet.write_text("".join(json.dumps(row | {"run": run.name}) + "\n" for row in rows))
    assert command("audit", "score", run, "--json").json["audited"] == before


def test_labels_of_another_submission_are_refused(
    command: Command, graded: Grade, submission: Path
) -> None:
    first = graded()
    (submission / "b.py").write_text("x = 1\n")
    second = graded()
    for run in (first, second):
        command("audit", "plan", run, "--labels", "20")
        fill(run / "audit-labels.jsonl", truth)
    refused = command("audit", "score", first, second / "audit-labels.jsonl")
    assert (refused.code, "error[E564]" in refused.err) == (3, True)
    assert "audit-labels.jsonl:1" in refused.err


def test_a_later_line_without_a_verdict_takes_a_label_back(command: Command, graded: Grade) -> None:
    run = graded()
    command("audit", "plan", run, "--labels", "20")
    sheet = run / "audit-labels.jsonl"
    fill(sheet, truth)
    first = json.loads(sheet.read_text().splitlines()[0])
    with sheet.open("a") as file:
        file.write(json.dumps(first | {"verdict": None}) + "\n")
    refused = command("audit", "score", run)
    assert (refused.code, f"no label: '{first['key']}'" in refused.err) == (3, True)


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
