"""The folder that `reproduce` writes."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from rubric_engine import grade, load_rubric
from rubric_engine.errors import RubricEngineError, RunError, StorageError
from rubric_engine.executed import (
    Executed,
    is_executed,
    load_executed,
    require_free,
    write_executed,
)
from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submission import load_submission


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "reproduce.sh").write_text("echo 1 > out.csv; echo 2 > a.py; echo said")
    (folder / "a.py").write_text("1")
    (folder / "old.csv").write_text("made before")
    return folder


def reproduced(handed_in: Path, to: Path, spec: RunSpec | None = None) -> Executed:
    """Run it and write the folder."""
    submission, spec = load_submission(handed_in), spec or RunSpec()
    execution = asyncio.run(LocalSandbox().run(submission, spec))
    require_free(to)
    write_executed(to, submission, execution, spec)
    return load_executed(to)


def test_it_holds_both_submissions_and_the_log(handed_in: Path, tmp_path: Path) -> None:
    to = tmp_path / "executed"
    kept = reproduced(handed_in, to)
    assert is_executed(to)
    assert kept.handed_in.read("a.py") == "1"
    assert kept.execution.status == "ok"
    assert kept.execution.submission is not None
    assert kept.execution.submission.read("a.py") == "2\n"
    assert (to / "submission" / "out.csv").read_text() == "1\n"
    assert (to / "reproduce.log").read_text() == "said\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["executed", "mine"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("execution.json", "E533"), ("submission/out.csv", "E534"), ("handed_in/index.json", "E534")],
)
def test_what_was_changed_is_not_believed(
    handed_in: Path, tmp_path: Path, name: str, code: str
) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    text = (to / name).read_text()
    changed = text.replace('"failed"', '"ok"').replace("out.csv", "cut.csv")
    (to / name).write_text(changed if changed != text else text + " ")
    with pytest.raises(RunError, match=code):
        load_executed(to)


def test_a_content_that_was_swapped_is_seen_when_it_is_read(
    handed_in: Path, tmp_path: Path
) -> None:
    to = tmp_path / "executed"
    kept = reproduced(handed_in, to)
    for path in (to / "handed_in" / "objects").glob("??/*"):
        path.write_bytes(b"9")
    with pytest.raises(RubricEngineError, match="E306"):
        kept.handed_in.read("a.py")


def test_a_record_of_somebody_else_is_not_ours(
    handed_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    with pytest.raises(RunError, match="E533") as caught:
        load_executed(to)
    assert any("--executed" in line for line in caught.value.fix)
    with pytest.raises(StorageError, match="E906"):
        require_free(to)


def test_an_earlier_run_is_replaced_and_nothing_else(handed_in: Path, tmp_path: Path) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    (handed_in / "reproduce.sh").write_text("exit 3")
    assert reproduced(handed_in, to).execution.exit_code == 3
    assert not (to / "submission" / "out.csv").exists()
    with pytest.raises(StorageError, match="E906"):
        require_free(handed_in)
    (tmp_path / "empty").mkdir()
    require_free(tmp_path / "empty")
    (tmp_path / "link").symlink_to(to)
    with pytest.raises(StorageError, match="E906"):
        require_free(tmp_path / "link")


def test_the_current_folder_is_written_and_what_was_left_goes(
    handed_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    left = tmp_path / ".here-0123abcd"
    left.mkdir()
    os.utime(left, (0, 0))
    submission = load_submission(handed_in)
    execution = asyncio.run(LocalSandbox().run(submission, RunSpec()))
    write_executed(Path(), submission, execution, RunSpec())
    assert load_executed(tmp_path / "here").execution.status == "ok"
    assert not left.exists()


def test_an_earlier_run_beside_which_something_lies_is_not_replaced(
    handed_in: Path, tmp_path: Path
) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    require_free(to)
    (to / "notes.txt").write_text("mine")
    with pytest.raises(StorageError, match="E906"):
        require_free(to)


def test_a_run_that_a_task_would_have_made_otherwise_does_not_fit(
    handed_in: Path, tmp_path: Path
) -> None:
    kept = reproduced(handed_in, tmp_path / "executed")
    kept.require_fit(skip=None, outputs=["out.csv"])
    with pytest.raises(RunError, match=r"E535.*old\.csv"):
        kept.require_fit(skip=None, outputs=["*.csv"])
    with pytest.raises(RunError, match="E535"):
        kept.require_fit(skip=("*.csv",), outputs=[])
    removed = reproduced(handed_in, tmp_path / "other", RunSpec(outputs=("*.csv",)))
    removed.require_fit(skip=None, outputs=["*.csv"])


@pytest.mark.parametrize("text", ["", "[1]", "{}", "{", '{"other": 1}', "pipe", "link", "gone"])
def test_a_damaged_record_is_refused_and_no_submission(
    handed_in: Path, tmp_path: Path, text: str
) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    record = to / "execution.json"
    moved = record.rename(tmp_path / "record.json")
    if text == "pipe":
        os.mkfifo(record)
    elif text == "link":
        record.symlink_to(moved)
    elif text != "gone":
        record.write_text(text)
    assert is_executed(to)
    with pytest.raises(RunError, match="E533"):
        load_executed(to)
    with pytest.raises(StorageError, match="E906"):
        require_free(to)


@pytest.mark.parametrize("name", ["submission", "handed_in"])
def test_a_folder_that_is_gone_is_a_change(handed_in: Path, tmp_path: Path, name: str) -> None:
    to = tmp_path / "executed"
    reproduced(handed_in, to)
    shutil.rmtree(to / name)
    assert is_executed(to)
    with pytest.raises(RunError, match=f"E534.*{name}"):
        load_executed(to)


def test_a_folder_that_only_looks_alike_is_a_submission(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    assert not is_executed(tmp_path)
    (tmp_path / "execution.json").write_text("{}")
    (tmp_path / "reproduce.sh").write_text("")
    assert not is_executed(tmp_path)


def test_the_log_s_file_is_longer_than_what_judges_are_shown(
    handed_in: Path, tmp_path: Path
) -> None:
    (handed_in / "reproduce.sh").write_text("seq 2000")
    to = tmp_path / "executed"
    kept = reproduced(handed_in, to, RunSpec(limits=Limits(log_bytes=1000))).execution
    whole = "".join(f"{number}\n" for number in range(1, 2001))
    assert kept.log is not None
    assert kept.log.omitted_bytes == len(whole) - 1000
    assert (to / "reproduce.log").read_text() == whole
    assert kept.log_file is not None
    (to / "reproduce.log").write_text("another")
    assert load_executed(to).execution.log_file is None, "what was changed is not passed on"


@pytest.mark.parametrize("how", ["run", "given"])
def test_a_run_s_folder_holds_the_log_s_file(handed_in: Path, tmp_path: Path, how: str) -> None:
    given = reproduced(handed_in, tmp_path / "executed").execution if how == "given" else None
    (tmp_path / "rubric.yaml").write_text(
        "rubric: 1\nroot: {id: root, requirements: It runs, weight: 1,"
        " task_category: Code Execution}\n"
    )
    grade(
        load_rubric(tmp_path / "rubric.yaml"),
        handed_in,
        sandbox="local" if given is None else None,
        execution=given,
        run_dir=tmp_path / "runs" / "one",
    )
    assert (tmp_path / "runs" / "one" / "reproduce.log").read_text() == "said\n"
