"""`grade`: what it prints, where it writes, and what it runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_the_range_comes_first_and_the_rest_follows(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "score  between 50.0% and 100.0%"
    assert "50.0% if ungraded leaves count as 0 (missing=zero)" in lines[1]
    assert "coverage 50.0% of the weight" in lines[2]
    assert "Code Development" in done.out
    assert "warning W202" in done.out
    assert re.search("next    rubric-engine show [0-9a-f]{6} --lost", done.out)


def test_a_local_run_says_that_it_does_not_isolate(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "local")
    assert done.code == 0
    assert "not isolate" in done.err
    assert done.out.startswith("score  between 83.3% and 100.0%")
    assert not (submission / "out.csv").exists()


def test_json_is_one_document_with_the_promised_keys(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--json")
    assert set(done.json) >= {
        "ok", "score", "categories", "leaves", "reasons", "run", "files", "hashes", "warnings",
        "exit_code",
    }  # fmt: skip
    assert done.json["score"] == {"value": 0.5, "low": 0.5, "high": 1.0, "coverage": 0.5}
    assert done.json["leaves"] == {"graded": 1, "ungradeable": 2, "not_applicable": 0}
    assert done.json["reasons"] == {"needs_model": 1, "not_run": 1}
    assert Path(done.json["files"]["report.json"]).is_file()


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["--fail-under", "50"], 0),
        (["--fail-under", "50.1"], 1),
        (["--min-coverage", "50"], 0),
        (["--min-coverage", "51"], 1),
    ],
)
def test_gates_test_the_low_end_and_the_coverage(
    command: Command, rubric: Path, submission: Path, flags: list[str], code: int
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--json", *flags)
    assert (done.code, done.json["exit_code"], done.json["ok"]) == (code, code, code == 0)


def test_a_wrong_check_is_exit_5_and_no_zero(
    command: Command, rubric: Path, submission: Path
) -> None:
    rubric.write_text(
        rubric.read_text().replace("{produced: {file: out.csv}}", "{log_contains: {regex: '('}}")
    )
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "local", "--json")
    assert done.code == 5
    assert done.json["reasons"] == {"needs_model": 1, "rubric_error": 1}
    assert done.json["score"]["high"] == 1.0


def test_no_reproduce_sh_is_zero_for_what_needs_a_run_and_says_so(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "reproduce.sh").unlink()
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "local")
    assert done.code == 0
    assert "warning W302" in done.out
    assert "between 50.0% and 66.7%" in done.out


def test_runs_never_go_into_the_submission(
    command: Command, rubric: Path, submission: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(submission)
    done = command("grade", ".", "--rubric", rubric, "--json")
    assert Path(done.json["run"]).is_relative_to(tmp_path / "state")
    assert not (submission / "runs").exists()
    assert command("show", "latest").code == 0


def test_one_category_is_a_view_and_its_mode_says_so(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command(
        "grade", submission, "--rubric", rubric, "--category", "code execution", "--json"
    )
    assert done.json["leaves"]["ungradeable"] == 1
    assert done.json["mode"] == "full, Code Execution only"
    nothing = command("grade", submission, "--rubric", rubric, "--category", "Result Analysis")
    assert nothing.code == 0
    assert "not applicable" in nothing.out


def test_paperbench_output_on_request(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    out = tmp_path / "grader_output.json"
    command("grade", submission, "--rubric", rubric, "--paperbench", out)
    data = json.loads(out.read_text())
    assert data["num_leaf_nodes"] == 3
    assert data["graded_task_tree"]["sub_tasks"][0]["score"] == 1.0


def test_labels_are_a_judge(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.yaml"
    labels.write_text(
        "annotator: a\nlabels:\n  code: {verdict: not_met}\n  prose: {verdict: met}\n"
    )
    done = command("grade", submission, "--rubric", rubric, "--labels", labels, "--json")
    assert done.json["leaves"]["graded"] == 2
    assert done.json["score"]["low"] == pytest.approx(1 / 6)


def test_quiet_is_one_line_with_range_policy_and_coverage(
    command: Command, rubric: Path, submission: Path
) -> None:
    rules = ("--judge", "rules", "--sandbox", "none", "-q")
    done = command("grade", submission, "--rubric", rubric, *rules)
    assert done.out.startswith("50.0-100.0%  (50.0% missing=zero, 50.0% graded)  monitor=")
    assert "monitor=suspicious  runs/" in done.out  # its script only echoes
    assert done.out.count("\n") == 1
    assert done.err == ""


def test_a_gate_says_which_and_by_how_much(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--fail-under", "80")
    assert "gate    --fail-under 80: the low end of the score is 50.00%" in done.out


@pytest.mark.parametrize("weight", [2, 4, 9, 11, 21, 24, 32, 55, 57, 63, 76, 79, 89, 90, 91])
def test_an_exact_score_passes_its_gate(
    command: Command, rubric: Path, submission: Path, weight: int
) -> None:
    leaves = [
        {"id": name, "requirements": "x", "weight": share, "task_category": "Code Development",
         "checks": [{"file_exists": {"file": file}}]}
        for name, share, file in (("a", weight, "a.py"), ("b", 100 - weight, "none.py"))
    ]  # fmt: skip
    rubric.write_text(
        json.dumps({"id": "r", "requirements": "x", "weight": 1, "sub_tasks": leaves})
    )
    gate = ("--fail-under", str(weight))
    assert command("grade", submission, "--rubric", rubric, *gate, "-q").code == 0


def test_labels_need_no_run(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.yaml"
    labels.write_text("annotator: a\nlabels: {run: {verdict: met}, code: {verdict: met}}\n")
    done = command("grade", submission, "--rubric", rubric, "--labels", labels, "--json")
    assert done.json["score"]["low"] == pytest.approx(5 / 6)


@pytest.mark.parametrize("arguments", [[], ["runs"], ["rubric"]])
def test_without_a_command_the_help_is_printed(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.code == 2
    assert done.err.startswith("Usage:")


def test_a_place_that_cannot_be_written_is_exit_9(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    done = command("grade", submission, "--rubric", rubric, "--runs", tmp_path / "file")
    assert done.code == 9
    assert "--runs DIR" in done.err


def test_without_an_engine_nothing_is_run_and_that_is_said(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--json")
    assert done.code == 0
    assert done.json["reasons"]["not_run"] == 1
    assert "reproduce.sh is not run: no Docker engine answers" in done.err
    asked = command("grade", submission, "--rubric", rubric, "--sandbox", "docker", "--json")
    assert asked.code == 8
    assert asked.json["error"]["code"] == "E810"


@pytest.mark.parametrize(
    "flags",
    [("--category", "Code Development"), ("--judge", "all-met"), ("--sandbox", "none")],
)
def test_where_nothing_needs_a_run_nobody_looks_for_an_engine(
    command: Command, rubric: Path, submission: Path, flags: tuple[str, str]
) -> None:
    done = command("grade", submission, "--rubric", rubric, *flags)
    assert done.code == 0
    assert "reproduce.sh is not run" not in done.err


def test_without_a_script_nobody_looks_for_an_engine(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "reproduce.sh").unlink()
    assert "reproduce.sh is not run" not in command("grade", submission, "--rubric", rubric).err
