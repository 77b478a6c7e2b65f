"""Files that are replaced in one step."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.errors import StorageError
from rubric_engine.replacing import replace_text


def test_a_file_holds_the_new_text_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for text in ("one\n", "two\r\n"):
        replace_text(path, text)
        assert path.read_bytes() == text.encode()
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    replace_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        replace_text(path, "half of a pair: \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(StorageError):
        replace_text(tmp_path / "none" / "a.txt", "new")
