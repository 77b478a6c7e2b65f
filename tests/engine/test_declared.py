"""Runs that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine import load_submission
from rubric_engine.declared import declared_execution
from rubric_engine.errors import RunError

Make = Callable[[dict[str, str | bytes]], Path]
FILES: dict[str, str | bytes] = {
    "run.py": "x = 1\n",
    "out/table.csv": "a,b\n1,2\n",
    "plot.png": b"\x89PNG\r\n\x1a\nrest",
    "reproduce.log": "first\nlast\n",
}


def test_data_and_images_count_as_produced(make_tree: Make) -> None:
    execution = declared_execution(load_submission(make_tree(FILES)))
    assert execution.produced == {"out/table.csv", "plot.png", "reproduce.log"}
    assert execution.log.text == "first\nlast\n"
    assert (execution.status, execution.exit_code) == ("declared", None)


def test_declared_outputs_decide_where_there_are_some(make_tree: Make) -> None:
    execution = declared_execution(load_submission(make_tree(FILES)), outputs=["out/**"])
    assert execution.produced == {"out/table.csv"}


def test_a_log_can_be_given(make_tree: Make, tmp_path: Path) -> None:
    (tmp_path / "other.log").write_text("elsewhere")
    submission = load_submission(make_tree(FILES))
    assert declared_execution(submission, log=tmp_path / "other.log").log.text == "elsewhere"
    with pytest.raises(RunError, match="cannot be read"):
        declared_execution(submission, log=tmp_path / "missing.log")
