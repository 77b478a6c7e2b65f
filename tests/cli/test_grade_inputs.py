"""What `grade` is given: a task, a submission, a run made elsewhere; and the mistakes in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


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


def test_an_executed_submission_is_graded_with_its_log(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "out.csv").write_text("a,b\n")
    done = command("grade", submission, "--rubric", rubric, "--executed", "--json")
    assert done.json["score"]["low"] == pytest.approx(5 / 6)
    assert any(notice["code"] == "W305" for notice in done.json["warnings"])


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


def test_a_folder_that_is_named_like_a_judge_is_no_judge(
    command: Command, rubric: Path, submission: Path
) -> None:
    Path("rules").mkdir()
    assert command("grade", submission, "--rubric", rubric, "-q").code == 0


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
