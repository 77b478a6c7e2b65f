"""What a writer that was killed left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rubric_engine.executed.leftovers import sweep_beside

NAMES = {"execution.json", "reproduce.log"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of runs, with nothing in it."""
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


def half(path: Path, *, hours: float = 2, name: str = "execution.json") -> Path:
    """A half-written folder of that age."""
    path.mkdir()
    (path / name).write_text("1")
    written = path.stat().st_mtime - 3600 * hours
    os.utime(path, (written, written))
    return path


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def test_what_was_half_written_goes_and_what_stood_there_comes_back(place: Path) -> None:
    half(place / ".out-0123abcd")
    half(place / ".out-0123abcd-old", name="reproduce.log")
    sweep_beside(place / "out", NAMES)
    assert names(place) == ["out"]
    assert names(place / "out") == ["reproduce.log"]


def test_what_was_replaced_goes(place: Path) -> None:
    half(place / "out")
    half(place / ".out-0123abcd-old", hours=0)
    sweep_beside(place / "out", NAMES)
    assert names(place) == ["out"]


def test_what_may_be_in_use_or_is_not_ours_stays(place: Path) -> None:
    half(place / ".out-0123abcd", hours=0)
    half(place / ".out-11111111", name="mine.txt")
    half(place / ".out-backup")
    half(place / ".outer-0123abcd")
    (place / ".out-22222222").symlink_to(place / ".out-backup")
    before = names(place)
    sweep_beside(place / "out", NAMES)
    assert names(place) == before
    sweep_beside(place / "missing" / "out", NAMES)
