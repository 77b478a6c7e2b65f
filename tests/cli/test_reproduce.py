"""`reproduce`, and `grade` of what it wrote."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from rubric_engine import grade, load_rubric
from rubric_engine.cli.env_file import read_env_file
from rubric_engine.cli.outcome import exit_code
from rubric_engine.cli.run_outcome import require_outcome
from rubric_engine.cli.sandboxing import gpu_ids
from rubric_engine.errors import InputError, SandboxError, UsageError
from rubric_engine.isolation import Execution, Log
from rubric_engine.testing.sandbox import FakeSandbox
from tests.cli.conftest import Command

LOCAL = ("--sandbox", "local")


def test_what_was_reproduced_is_graded_as_if_it_were_run(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("reproduce", submission, "-o", "executed", *LOCAL)
    assert done.code == 0
    assert "does not isolate" in done.err
    assert done.out.startswith("status      ok, exit code 0")
    at_once = command("grade", submission, "--rubric", rubric, *LOCAL, "--json").json
    later = command("grade", "executed", "--rubric", rubric, "--json")
    assert later.code == 0
    assert later.json["score"] == at_once["score"]
    assert later.json["hashes"] == at_once["hashes"]


def test_the_code_that_is_judged_is_the_one_that_was_handed_in(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "a.py").write_text("x = 1\n")
    (submission / "reproduce.sh").write_text("echo 'def solve(): pass' > a.py; echo 1 > out.csv")
    assert command("reproduce", submission, "-o", "executed", *LOCAL).code == 0
    assert "def solve" in Path("executed/submission/a.py").read_text()
    document = command("grade", "executed", "--rubric", rubric, "--json").json
    report = json.loads(Path(document["files"]["report.json"]).read_text())
    assert report["grades"]["code"]["score"] == 0.0
    assert report["grades"]["run"]["score"] == 1.0


def test_how_it_ended_is_said_and_is_no_failure_of_the_command(
    command: Command, submission: Path
) -> None:
    (submission / "reproduce.sh").write_text("echo hello; exit 3")
    done = command("reproduce", submission, "-o", "executed", *LOCAL, "--json")
    assert done.code == 0
    assert done.json["execution"]["status"] == "failed"
    assert done.json["execution"]["exit_code"] == 3
    assert [warning["code"] for warning in done.json["warnings"]] == ["W303"]


@pytest.mark.parametrize(
    ("flags", "code", "says"),
    [
        (("-o", "taken"), 9, "did not write"),
        (("-o", "{submission}/inner"), 2, "lies in the submission"),
        (("-o", "new", "--sandbox", "none"), 2, "no sandbox"),
        (("-o", "new", "--sandbox", "dokcer"), 2, "did you mean 'docker'"),
        (("-o", "new", *LOCAL, "--gpus", "1"), 2, "--gpus goes with --sandbox docker"),
        (("-o", "new", *LOCAL, "--engine", "unix:///x"), 2, "--engine goes with"),
        (("-o", "new", "--time-limit", "soon"), 2, "no time"),
        (("-o", "new", "--memory", "-1"), 2, "no size"),
        (("-o", "new", *LOCAL, "--memory", "1"), 2, "is 1 byte, which is too little: no run"),
        (("-o", "new", *LOCAL, "--memory", "999999999t"), 2, "--memory must be less than"),
        (("-o", "new", *LOCAL, "--time-limit", "9999999h"), 2, "--time-limit must be less than"),
        (("-o", "new", "--network", "some"), 2, "some"),
        (("-o", "new", "--task", "nothing-like-it"), 3, "task"),
        (("-o", "new", "--env-file", "missing"), 3, "E536"),
        (("-o", "new"), 8, "E810"),
        (("-o", "new", "--sandbox", "auto"), 8, "E810"),
    ],
)
def test_what_cannot_be_done_says_why(
    command: Command, submission: Path, flags: tuple[str, ...], code: int, says: str
) -> None:
    Path("taken").mkdir()
    Path("taken/mine").write_text("1")
    flags = tuple(flag.format(submission=submission) for flag in flags)
    done = command("reproduce", submission, *flags)
    assert done.code == code
    assert says in done.err
    assert not Path("new").exists()
    assert Path("taken/mine").read_text() == "1"


@pytest.mark.parametrize("inner", ["mine", "submission"])
def test_a_folder_that_holds_the_submission_is_not_replaced(
    command: Command, submission: Path, inner: str
) -> None:
    assert command("reproduce", submission, "-o", "executed", *LOCAL).code == 0
    shutil.copytree(submission, Path("executed", inner), dirs_exist_ok=True)
    done = command("reproduce", Path("executed", inner), "-o", "executed", *LOCAL)
    assert done.code == 9
    assert "E906" in done.err
    assert "holds the submission" in done.err
    assert Path("executed", inner, "reproduce.sh").exists()


def test_what_was_reproduced_is_no_submission_to_reproduce(
    command: Command, rubric: Path, submission: Path
) -> None:
    assert command("reproduce", submission, "-o", "executed", *LOCAL).code == 0
    done = command("reproduce", "executed", "-o", "again", *LOCAL)
    assert done.code == 3
    assert "executed/submission" in done.err
    Path("executed/execution.json").write_text("{")
    damaged = command("grade", "executed", "--rubric", rubric, *LOCAL)
    assert damaged.code == 3
    assert "E533" in damaged.err


def test_a_run_that_was_made_elsewhere_is_refused_and_may_be_declared(
    command: Command, rubric: Path, submission: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("reproduce", submission, "-o", "executed", *LOCAL)
    monkeypatch.setenv("XDG_STATE_HOME", str(Path("elsewhere").absolute()))
    refused = command("grade", "executed", "--rubric", rubric)
    assert refused.code == 3
    assert "--executed" in refused.err
    declared = command("grade", "executed", "--rubric", rubric, "--executed", "--json")
    assert declared.code == 0
    assert "W305" in json.dumps(declared.json["warnings"])


def test_a_run_that_was_made_is_not_run_again(
    command: Command, rubric: Path, submission: Path
) -> None:
    command("reproduce", submission, "-o", "executed", *LOCAL)
    done = command("grade", "executed", "--rubric", rubric, *LOCAL)
    assert done.code == 2
    assert "run already" in done.err


def test_only_the_script_gets_the_variables_of_a_file(
    command: Command, submission: Path, tmp_path: Path
) -> None:
    (tmp_path / "keys").write_text("# mine\nTOKEN=a=b c\n\n")
    (submission / "reproduce.sh").write_text('echo "$TOKEN" > out.csv; test -d "$HOME"')
    flags = ("--env-file", tmp_path / "keys", *LOCAL)
    assert command("reproduce", submission, "-o", "executed", *flags).code == 0
    assert Path("executed/submission/out.csv").read_text() == "a=b c\n"
    assert "a=b c" not in Path("executed/execution.json").read_text()


@pytest.mark.parametrize(
    "text", ["TOKEN", "1A=2", "=3", "a b=1", "export A=1", "A=\0", "HOME=/x", "PATH=/x"]
)
def test_a_file_of_variables_is_read_strictly(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys").write_text(f"OK=1\n{text}\n")
    with pytest.raises(InputError, match=r"E536.*:2") as caught:
        read_env_file(tmp_path / "keys")
    assert "TOKEN" not in str(caught.value)


def test_values_of_variables_are_taken_as_they_stand(tmp_path: Path) -> None:
    text = "\ufeffA=1 \r\nB=x\u2028y\x0bz\rw\n  C= 'q' # no remark\n\n"
    (tmp_path / "keys").write_bytes(text.encode())
    assert read_env_file(tmp_path / "keys") == {
        "A": "1 ",
        "B": "x\u2028y\x0bz\rw",
        "C": " 'q' # no remark",
    }


def test_only_a_regular_file_holds_variables(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(InputError, match=r"E536.*no regular file"):
            read_env_file(path)


@pytest.mark.parametrize(
    ("text", "ids"),
    [(None, ()), ("2", ("0", "1")), ("0,3", ("0", "3")), ("GPU-7a3f", ("GPU-7a3f",)), ("0", ())],
)
def test_gpus_are_a_number_or_ids(text: str | None, ids: tuple[str, ...]) -> None:
    assert gpu_ids(text) == ids


@pytest.mark.parametrize("text", ["all", "0,all", "", "1,,2", "9999"])
def test_gpus_are_never_all_of_them(text: str) -> None:
    with pytest.raises(UsageError, match="neither a number"):
        gpu_ids(text)


def test_what_is_kept_to_spare_a_run_can_be_removed(command: Command) -> None:
    store = Path("runs/executed")
    (store / "objects" / "ab").mkdir(parents=True)
    (store / "objects" / "ab" / "abc").write_text("left by nobody")
    done = command("cache", "prune", "--json")
    assert done.code == 0
    assert done.json["removed"]["executed"] == {"runs": 0, "bytes": 14}
    assert "removed 0 executed submissions, 0 bytes" in command("cache", "prune").out
    (store / "one.run.json").write_text("1")
    assert "removed 1 executed submission, 1 byte\n" in command("cache", "prune").out


def test_a_sandbox_that_failed_is_exit_8(rubric: Path, submission: Path) -> None:
    execution = Execution(status="infra.engine", attempts=3)
    report = grade(load_rubric(rubric), submission, sandbox=FakeSandbox(execution))
    assert exit_code(report) == 8
    assert "W309" in {warning.code for warning in report.warnings}
    with pytest.raises(SandboxError, match="E833") as caught:
        require_outcome(execution)
    assert "tried 3 times" in caught.value.looked


def test_an_install_that_failed_is_no_zero_and_no_failure_of_the_script(
    rubric: Path, submission: Path
) -> None:
    fault = "setup.sh failed with exit code 4; reproduce.sh was not run"
    execution = Execution(
        status="infra.install",
        exit_code=4,
        oom_seen=True,
        fault=fault,
        network="install",
        log=Log(head="".join(f"line {number}\n" for number in range(99))),
    )
    report = grade(load_rubric(rubric), submission, sandbox=FakeSandbox(execution))
    assert exit_code(report) == 8
    assert (report.grades["run"].reason, report.grades["run"].explanation) == ("infra", fault)
    told = [tuple(warning) for warning in report.warnings if warning.code.startswith("W3")]
    assert told == [("W309", fault)]
    with pytest.raises(SandboxError, match=f"E834.*{fault}") as caught:
        require_outcome(execution)
    assert caught.value.looked[1:] == tuple(f"  line {number}" for number in range(89, 99))
