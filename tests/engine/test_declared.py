"""Runs that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine import load_submission
from rubric_engine.declared import LOG_BYTES, MOST_READ, declared_execution
from rubric_engine.errors import RunError
from rubric_engine.isolation import Log
from rubric_engine.submitted import Submission

Make = Callable[[dict[str, str | bytes]], Path]
FILES: dict[str, str | bytes] = {
    "run.py": "x = 1\n",
    "out/table.csv": "a,b\n1,2\n",
    "plot.png": b"\x89PNG\r\n\x1a\nrest",
    "reproduce.log": "first\nlast\n",
}


def log_of(submission: Submission, log: Path | None = None) -> Log:
    kept = declared_execution(submission, log=log).log
    assert kept is not None
    return kept


def test_data_and_images_count_as_produced(make_tree: Make) -> None:
    submission = load_submission(make_tree(FILES))
    execution = declared_execution(submission)
    assert execution.produced == {"out/table.csv", "plot.png", "reproduce.log"}
    assert log_of(submission).text == "first\nlast\n"
    assert (execution.status, execution.exit_code) == ("declared", None)


def test_without_a_log_nothing_is_known_of_it(make_tree: Make) -> None:
    assert declared_execution(load_submission(make_tree({"run.py": "x = 1\n"}))).log is None


def test_declared_outputs_decide_where_there_are_some(make_tree: Make) -> None:
    execution = declared_execution(load_submission(make_tree(FILES)), outputs=["out/**"])
    assert execution.produced == {"out/table.csv"}
    assert not execution.guessed


def test_without_a_log_the_log_is_unknown(make_tree: Make) -> None:
    execution = declared_execution(load_submission(make_tree({"a.py": ""})))
    assert execution.log is None


def test_a_log_can_be_given(make_tree: Make, tmp_path: Path) -> None:
    (tmp_path / "other.log").write_text("elsewhere")
    submission = load_submission(make_tree(FILES))
    assert log_of(submission, tmp_path / "other.log").text == "elsewhere"
    with pytest.raises(RunError, match="cannot be read"):
        declared_execution(submission, log=tmp_path / "missing.log")


@pytest.mark.parametrize("own", [True, False])
def test_of_a_long_log_beginning_and_end_are_kept(
    make_tree: Make, tmp_path: Path, own: bool
) -> None:
    long = b"first\n" + b"." * LOG_BYTES + b"\nlast"
    submission = load_submission(make_tree(FILES | {"reproduce.log": long if own else ""}))
    (tmp_path / "other.log").write_bytes(long)
    log = log_of(submission, None if own else tmp_path / "other.log")
    assert log.head.startswith("first\n.")
    assert log.tail.endswith(".\nlast")
    assert log.omitted_bytes == len(long) - LOG_BYTES


def test_a_huge_log_is_never_held_as_a_whole(make_tree: Make, tmp_path: Path) -> None:
    folder = make_tree(FILES)
    with (folder / "reproduce.log").open("r+b") as file:
        file.truncate(MOST_READ + 1)  # sparse: it takes no room
    log = log_of(load_submission(folder))
    assert (log.head[:5], log.tail) == ("first", "")
    assert log.omitted_bytes == MOST_READ + 1 - LOG_BYTES
