"""The example set from end to end, its figures beside a table that was computed by hand."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

from rubric_engine.benchmarks.tasksets import Results, load_results, summarise, summarise_by
from rubric_engine.benchmarks.tasksets.comparing import compare_results
from rubric_engine.benchmarks.tasksets.task import FACTS
from tests.cli.conftest import Command

Run = tuple[Results, Path]

# By hand, from what scripted.json says and the weights of tasks.json.
SCORES = {
    "literature-1": (2 * (2 / 3) + 1 * 1) / 3,  # two of three keys, weight 2; none of the others
    "literature-2": (1 * 1 + 1 * 1 + 2 * 0) / 4,  # short enough; one point of two
    "hypothesis-1": (2 * 0.75 + 1 * 0.5) / 3,  # means of (1, 0.75, 0.5) and of halves
    "hypothesis-2": min(1, 0.7),  # rules hold; mean of (0.8, 0.6, 0.7)
    "design-1": (2 / 3 + 1) / 2,  # two of three columns; the control is there
    "design-2": 1.0,  # 63 is within a tenth of 64
    "implementation-1": (2 * 1 + 1 * 0) / 3,  # defined, and nothing is raised
    "implementation-2": min(1, (1 + 0) / 2),  # defined; one point of two
    "analysis-1": None,  # refused
    "analysis-2": (1 + 1) / 2,
    "writing-1": ((1 + 1 + 0.75) / 3 + 0.5) / 2,
    "writing-2": (1 * 1 + 1 * 0 + 2 * 1) / 4,  # short enough; no word of limits; the point
}


def test_every_answer_has_the_score_that_was_computed_by_hand(example_run: Run) -> None:
    results, _ = example_run
    found = {task.task_id: task.answers[0].whole for task in results.tasks}
    assert found.keys() == SCORES.keys()
    for name, score in SCORES.items():
        assert found[name] == (None if score is None else pytest.approx(score)), name
    assert (results.status, results.exit_code) == ("done", 0)


def test_the_figures_are_those_of_the_table_each_with_its_n(example_run: Run) -> None:
    found = summarise(example_run[0])
    known = [score for score in SCORES.values() if score is not None]
    mean = sum(known) / 11
    rows = {
        "success": (10 / 12, 12),  # one answer of another form, one refused
        "malformed": (1 / 12, 12),
        "failed": (1 / 12, 12),
        "score": (mean, 11),
        "between_tasks": (sum((score - mean) ** 2 for score in known) / 10, 11),
        # of (1, 0.75, 0.5), halves, (0.8, 0.6, 0.7), (1, 1, 0.75), halves
        "judge_sd": ((0.25 + 0 + 0.1 + math.sqrt(3) / 12 + 0) / 5, 5),
        "interventions": (0.0, 12),
        # 7 % of literature-2, two means each of analysis-2 and writing-1; all were given
        "hallucination": (0.0, 5),
    }
    for name, (value, n) in rows.items():
        figure = getattr(found, name)
        assert figure.value == pytest.approx(value), name
        assert figure.n == n, name
    assert found.score_range.low == pytest.approx(sum(known) / 12)
    assert found.score_range.high == pytest.approx((sum(known) + 1) / 12)
    assert (found.seconds.n, found.seconds_95.n, found.missing) == (12, 12, 0)
    assert found.within_tasks.value is None
    assert found.within_tasks.why


def test_sampling_three_times_shows_its_spread(example_run: Run) -> None:
    tasks = {task.task_id: task for task in example_run[0].tasks}
    leaves = {leaf.key: leaf for leaf in tasks["hypothesis-1"].answers[0].leaves}
    falsifiable = leaves["dimension-Falsifiable"]
    assert falsifiable.samples == (1.0, 0.75, 0.5)
    assert falsifiable.score == 0.75
    assert falsifiable.sd == pytest.approx(0.25)


def test_phases_have_their_own_figures_and_denominators(example_run: Run) -> None:
    found = {one.name: one for one in summarise_by(example_run[0], "phase")}
    assert list(found) == [
        "literature", "hypothesis", "experiment_design", "implementation", "analysis", "writing",
    ]  # fmt: skip
    analysis = found["analysis"]
    assert (analysis.score.value, analysis.score.n, analysis.asked) == (1.0, 1, 2)
    assert (analysis.failed.value, analysis.between_tasks.value) == (0.5, None)
    assert found["experiment_design"].malformed.value == 0.5
    levels = {one.name: one.tasks for one in summarise_by(example_run[0], "autonomy")}
    assert levels == {"L1": 3, "L2": 4, "L3": 3, "L4": 2}


def test_no_agent_is_shown_reference_or_judge(example_run: Run) -> None:
    results, folder = example_run
    from rubric_engine.ledger import LedgerReader

    calls = [str(call) for answer in results.answers for call in answer.calls]
    assert len(calls) == 12
    with LedgerReader.open(folder.parent / "runs" / "ledger.sqlite") as ledger:
        prompts = ["".join(part.content for part in ledger.prompt(call)) for call in calls]
    for prompt in prompts:
        for secret in ("number_close", "which may explain it", "Falsifiable", "sampling_times"):
            assert secret not in prompt


def test_results_and_csv_hold_set_version_and_hash(example_run: Run) -> None:
    results, folder = example_run
    assert load_results(folder) == results
    assert load_results(folder / "results.json").task_set.version == "1.0"
    with (folder / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert {row["task_set_sha256"] for row in rows} == {results.task_set.sha256}
    by_task = {row["task_id"]: row for row in rows}
    assert by_task["analysis-1"]["score"] == ""
    assert by_task["analysis-1"]["status"] == "failed"
    assert float(by_task["design-2"]["score"]) == 1.0


def test_report_prints_within_80_columns_and_one_json_document(
    example_run: Run, command: Command, tmp_path: Path
) -> None:
    folder = example_run[1]
    done = command("bench", "report", folder, "--by", "phase", "--csv", tmp_path / "f.csv")
    assert (done.code, done.err) == (0, "")
    told = [line for line in done.out.splitlines() if not line.startswith("csv ")]
    assert max(map(len, told)) <= 80
    for words in ("83.3%  12 answers", "73.7%  11 answers", "67.5-75.9%", "experiment_design"):
        assert words in done.out
    with (tmp_path / "f.csv").open(newline="", encoding="utf-8") as file:
        rows = {(row["group"], row["figure"]): row for row in csv.DictReader(file)}
    assert float(rows["analysis", "score"]["value"]) == 1.0
    assert rows["analysis", "between_tasks"]["value"] == ""
    assert set(command("bench", "report", folder, "--json").json["by"]) == set(FACTS)
    plain = command("bench", "report", folder).out
    assert all(words in plain for words in ("experiment_design", "medium"))
    found = command("bench", "report", folder, "--by", "difficulty", "--json").json
    assert found["summary"]["success"]["n"] == 12
    assert [one["name"] for one in found["by"]["difficulty"]] == ["easy", "medium", "hard"]


def test_a_wrong_key_or_file_is_told_without_a_traceback(
    example_run: Run, command: Command, tmp_path: Path
) -> None:
    wrong = command("bench", "report", example_run[1], "--by", "fase")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'phase'" in wrong.err
    (tmp_path / "bad.json").write_text('{"results": 2}')
    bad = command("bench", "report", tmp_path / "bad.json")
    assert bad.code == 3
    assert "E632" in bad.err
    assert command("bench", "report", tmp_path / "none.json").code == 3


def test_an_agent_beside_itself_shows_no_difference(example_run: Run) -> None:
    results = example_run[0]
    found = compare_results(results, results)
    assert found.better is None
    assert found.difference == 0
    assert len(found.tasks) == 11
    assert "analysis-1" in found.left_out
    assert [each.code for each in found.warnings] == ["W252"]


def test_an_agent_that_is_worse_on_every_task_is_told_from_the_better(example_run: Run) -> None:
    results = example_run[0]
    halved = json.loads(results.model_dump_json())
    halved["agent"] |= {"name": "half", "fingerprint": "0"}
    for task in halved["tasks"]:
        if task["score"]["value"] is not None:
            task["score"]["value"] /= 2
    found = compare_results(results, Results.model_validate(halved))
    assert found.better == "m1"
    assert found.test.p == pytest.approx(2 / 2**11)
    assert found.interval.low is not None
    assert found.interval.low > 0
