"""`rubric-engine grade`: what a person sees, and the exit codes."""

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


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--task", "heavy-bal"], 3, "did you mean 'heavy-ball'?"),
        (["--rubric", "nowhere.yaml"], 3, "nowhere.yaml"),
        ([], 3, "tasks that are shipped: count-min, heavy-ball"),
        (["--task", "heavy-ball", "--rubric", "x.yaml"], 2, "not both"),
        (["--task", "heavy-ball", "--judge", "rule"], 3, "did you mean 'rules'?"),
        (["--task", "heavy-ball", "--sandbox", "lokal"], 2, "did you mean 'local'?"),
        (["--task", "heavy-ball", "--category", "Code Developmnt"], 2, "did you mean"),
        (["--task", "heavy-ball", "--log", "x.log"], 2, "--executed"),
        (["--task", "heavy-ball", "--executed", "--sandbox", "local"], 2, "--executed"),
        (["--task", "heavy-ball", "--executed", "--log", "no.log"], 3, "no.log"),
        (["--task", "heavy-ball", "--paper", "no.md"], 3, "no.md"),
        (["--no-such-flag"], 2, "no-such-flag"),
    ],
)
def test_mistakes_are_explained_and_never_a_traceback(
    command: Command, submission: Path, arguments: list[str], code: int, says: str
) -> None:
    done = command("grade", submission, *arguments)
    assert done.code == code
    assert says in done.err
    assert done.err.startswith("error[E")
    assert "Traceback" not in done.err
    assert f"exit {code}" in done.err
    assert done.out == ""


def test_an_error_is_one_json_document_too(command: Command, submission: Path) -> None:
    done = command("grade", submission, "--task", "heavy-bal", "--json")
    assert done.json["ok"] is False
    assert done.json["exit_code"] == 3
    assert done.json["error"]["fix"]
    assert done.err == ""


def test_a_usage_error_is_one_json_document_too(command: Command) -> None:
    assert command("grade", "--json").json["error"]["kind"] == "usage"


def test_an_empty_submission_says_what_was_found(
    command: Command, rubric: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    (folder / ".git").mkdir(parents=True)
    done = command("grade", folder, "--rubric", rubric)
    assert done.code == 3
    assert done.err.startswith("error[E301]")
    assert "--allow-empty" in done.err
    allowed = command("grade", folder, "--rubric", rubric, "--allow-empty", "--json")
    assert allowed.code == 0
    assert allowed.json["score"]["low"] == 0.0


def test_a_pdf_as_paper_is_an_error_with_a_hint(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    done = command("grade", submission, "--rubric", rubric, "--paper", tmp_path / "paper.pdf")
    assert done.code == 3
    assert "pdftotext" in done.err


def test_no_reproduce_sh_is_zero_for_what_needs_a_run_and_says_so(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "reproduce.sh").unlink()
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "local")
    assert done.code == 0
    assert "warning W302" in done.out
    assert "between 50.0% and 66.7%" in done.out


def test_a_rubric_beside_the_submission_is_found_but_never_one_inside(
    command: Command, rubric: Path, submission: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (submission / "rubric.yaml").write_text(rubric.read_text())
    monkeypatch.chdir(submission)
    refused = command("grade", ".")
    assert refused.code == 3
    assert "lies inside the submission" in refused.err
    (submission.parent / "rubric.yaml").write_text(rubric.read_text())
    assert command("grade", ".").code == 0


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


def test_an_executed_submission_is_graded_with_its_log(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "out.csv").write_text("a,b\n")
    done = command("grade", submission, "--rubric", rubric, "--executed", "--json")
    assert done.json["score"]["low"] == pytest.approx(5 / 6)
    assert any(notice["code"] == "W305" for notice in done.json["warnings"])


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
    assert done.out.startswith("50.0-100.0%  (50.0% missing=zero, 50.0% graded)  runs/")
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


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        *(("--time-limit", value) for value in ("0", "-1", "nan", "inf", "soon")),
        *(("--fail-under", value) for value in ("nan", "-3", "101", "eighty")),
        ("--min-coverage", "nan"),
        ("--outputs", "*"),
        ("--outputs", "a[]-.{]"),
        ("--paperbench", "/no/such/folder/x.json"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_before_anything_runs(
    command: Command, rubric: Path, submission: Path, flag: str, value: str
) -> None:
    done = command("grade", submission, "--rubric", rubric, flag, value)
    assert done.code in (2, 3)
    assert flag.strip("-") in done.err
    assert "our bug" not in done.err
    assert not Path("runs").exists()


def test_a_time_limit_leaves_the_tasks_other_limits(
    command: Command, rubric: Path, submission: Path
) -> None:
    task = rubric.parent
    rubric.rename(task / "rubric.yaml")
    (task / "task.yaml").write_text("limits: {time: 5, log_bytes: 1000}\n")
    (submission / "reproduce.sh").write_text("for i in $(seq 999); do echo line $i; done\n")
    flags = ("--sandbox", "local", "--time-limit", "9", "--json")
    run = Path(command("grade", submission, "--task", task, *flags).json["run"])
    assert json.loads((run / "execution.json").read_text())["log"]["omitted_bytes"] > 0


def test_an_executed_submission_without_a_log_has_no_zero_for_it(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    text = rubric.read_text()
    rubric.write_text(text.replace("{produced: {file: out.csv}}", "{log_contains: {text: done}}"))
    done = command("grade", submission, "--rubric", rubric, "--executed", "--json")
    assert done.json["reasons"] == {"needs_model": 1, "not_run": 1}
    (tmp_path / "a.log").write_text("all is done\n")
    flags = ("--executed", "--log", tmp_path / "a.log", "--json")
    assert command("grade", submission, "--rubric", rubric, *flags).json["leaves"]["graded"] == 2


def test_outputs_settle_what_an_executed_submission_produced(
    command: Command, rubric: Path, submission: Path
) -> None:
    rubric.write_text(rubric.read_text().replace("file: out.csv", "file: model.pt"))
    (submission / "model.pt").write_bytes(b"weights")
    base = ("grade", submission, "--rubric", rubric, "--executed", "--json")
    assert command(*base).json["reasons"] == {"needs_model": 1, "not_run": 1}
    assert command(*base, "--outputs", "model.pt").json["leaves"]["graded"] == 2


def test_labels_need_no_run(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.yaml"
    labels.write_text("annotator: a\nlabels: {run: {verdict: met}, code: {verdict: met}}\n")
    done = command("grade", submission, "--rubric", rubric, "--labels", labels, "--json")
    assert done.json["score"]["low"] == pytest.approx(5 / 6)


def test_a_folder_that_is_named_like_a_judge_is_no_judge(
    command: Command, rubric: Path, submission: Path
) -> None:
    Path("rules").mkdir()
    assert command("grade", submission, "--rubric", rubric, "-q").code == 0


@pytest.mark.parametrize("arguments", [[], ["runs"], ["rubric"]])
def test_without_a_command_the_help_is_printed(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.code == 2
    assert done.err.startswith("Usage:")


@pytest.mark.parametrize("arguments", [["grade"], ["show"], ["score"], ["rubric", "stats"]])
def test_a_missing_argument_is_named(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.code == 2
    assert "Missing argument" in done.err


@pytest.mark.parametrize(
    "arguments",
    [["show", "x" * 300], ["score", "latest", "--rubric", "x" * 300],
     ["rubric", "stats", "x" * 300], ["rubric", "lint", "x" * 300],
     ["runs", "list", "--runs", "x" * 300]],
)  # fmt: skip
def test_a_name_that_no_file_can_have_is_no_bug_of_ours(
    command: Command, arguments: list[str]
) -> None:
    done = command(*arguments)
    assert done.code in (0, 3)
    assert "our bug" not in done.err


def test_a_slip_in_a_category_is_an_error(command: Command, rubric: Path, submission: Path) -> None:
    rubric.write_text(rubric.read_text().replace("Code Execution", "Code Executoin"))
    done = command("grade", submission, "--rubric", rubric)
    assert done.code == 3
    assert "E219" in done.err
    assert "did you mean 'Code Execution'?" in done.err


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


def test_a_task_may_write_limits_as_people_do(
    command: Command, submission: Path, tmp_path: Path, rubric: Path
) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (task / "rubric.yaml").write_text(rubric.read_text())
    (task / "task.yaml").write_text("limits: {time: 12h, memory: 2g, disk: 512M}\nnetwork: open\n")
    flags = ("--sandbox", "local", "--time-limit", "30m", "--json")
    done = command("grade", submission, "--task", task, *flags)
    run = json.loads(Path(done.json["files"]["report.json"]).read_text())
    settings = run["provenance"]["settings"]
    assert settings["network"] == "open"
    assert settings["limits"]["time"] == 1800
    assert settings["limits"]["memory"] == 2 << 30
    assert settings["limits"]["disk"] == 512 << 20
    (task / "task.yaml").write_text("limits: {memory: lots}\n")
    refused = command("grade", submission, "--task", task)
    assert refused.code == 3
    assert "is no size" in refused.err
