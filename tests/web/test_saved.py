"""Labels whose file went, or whose disk gives no access: nothing that was said is ever lost."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rubric_engine.case import Case
from rubric_engine.cli.label_saved import saved_notes
from rubric_engine.errors import LabelsError, StorageError
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.record import GoneError
from rubric_engine.judgeeval.labelling.saved import lost, save, taking_back
from rubric_engine.labels import load_labels
from rubric_engine.web.labelling.desk import Desk
from rubric_engine.web.labelling.opening import blind_desk
from rubric_engine.web.labelling.sent import SentLabel, SentUndo


def _say(desk: Desk, *leaves: int) -> None:
    for leaf in leaves:
        sent = SentLabel(version=desk.version, key=f"leaf-0-{leaf}", verdict="not_met", reason="no")
        desk.put(sent)


def _go_under(folder: LabelFolder, case: Case, *leaves: int) -> None:
    """Label, lose the file, and label once more."""
    desk = blind_desk(folder, "a1", case)
    with desk.book.held():
        _say(desk, *leaves[:-1])
        desk.book.path.unlink()
        with pytest.raises(GoneError):
            _say(desk, leaves[-1])


def test_what_was_saved_once_is_not_written_over(folder: LabelFolder, case: Case) -> None:
    _go_under(folder, case, 0, 1)
    _go_under(folder, case, 2, 3)
    record = folder.record("a1").path
    saved = lost(record)
    assert [file.name for file in saved] == ["a1.jsonl.saved", "a1.jsonl.saved-2"]
    assert [list(load_labels(file).labels) for file in saved] == [
        ["leaf-0-0", "leaf-0-1"], ["leaf-0-2", "leaf-0-3"],
    ]  # fmt: skip


def test_the_commands_that_are_said_take_all_of_it_back(folder: LabelFolder, case: Case) -> None:
    _go_under(folder, case, 0, 1)
    _go_under(folder, case, 2, 3)
    record = folder.record("a1").path
    said = list(saved_notes(record))
    assert len(said) == 4
    for line in said[1::2]:
        subprocess.run(["bash", "-c", line.removeprefix("  try: ")], check=True)
    assert list(folder.labels_of("a1").labels) == [f"leaf-0-{leaf}" for leaf in range(4)]
    assert list(saved_notes(record)) == []


def test_a_window_that_goes_on_adds_to_what_it_saved(folder: LabelFolder, case: Case) -> None:
    desk = blind_desk(folder, "a1", case)
    with desk.book.held():
        _say(desk, 0)
        desk.book.path.unlink()
        for leaf in (1, 2):
            with pytest.raises(GoneError):
                _say(desk, leaf)
    [saved] = lost(desk.book.path)
    assert list(load_labels(saved).labels) == ["leaf-0-0", "leaf-0-1", "leaf-0-2"]


def test_where_the_folder_went_the_name_says_whose_it_is(tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "a1.jsonl", tmp_path / "other" / "a1.jsonl"
    saved = save(one, b"1\n")
    assert saved == tmp_path / "one-a1.jsonl.saved"
    assert (lost(one), lost(other)) == ([saved], [])
    assert save(other, b"2\n") != saved
    assert taking_back(one, saved) == f"mkdir -p {one.parent} && cat {saved} >> {one}"


def test_a_link_is_neither_followed_nor_replaced(tmp_path: Path) -> None:
    aim, record = tmp_path / "aim", tmp_path / "a1.jsonl"
    aim.write_bytes(b"")
    (tmp_path / "a1.jsonl.saved").symlink_to(aim)
    assert save(record, b"1\n").name == "a1.jsonl.saved-2"
    assert aim.read_bytes() == b""
    assert [file.name for file in lost(record)] == ["a1.jsonl.saved-2"]


@contextmanager
def _descriptors(free: int) -> Iterator[None]:
    """No more than some descriptors are to be had."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(map(int, os.listdir("/proc/self/fd"))) + 8  # noqa: PTH208  # numbers, not paths
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (used, hard))
    try:
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        for descriptor in held[:free]:
            os.close(descriptor)
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in held[free:]:
            os.close(descriptor)


@pytest.mark.parametrize("free", range(5))
@pytest.mark.parametrize("undoes", [False, True])
def test_without_descriptors_it_is_said_whether_a_change_is_kept(
    folder: LabelFolder, case: Case, free: int, *, undoes: bool
) -> None:
    desk = blind_desk(folder, "a1", case)
    with desk.book.held():
        _say(desk, 0)
        before = len(folder.record("a1").rows)
        said = ""
        with _descriptors(free):
            try:
                if undoes:
                    desk.undo(SentUndo(version=1))
                else:
                    _say(desk, 1)
            except (StorageError, LabelsError) as error:
                said = error.message
        is_kept = len(folder.record("a1").rows) > before
        known = {"leaf-0-0": not (undoes and is_kept), "leaf-0-1": not undoes and is_kept}
        labels = desk.state["labels"]
        assert {key: key in labels for key in known} == known
        assert desk.version == 1 + is_kept
        assert ("this is kept" in said or said == "") == is_kept or "not known" in said
        _say(desk, 2)
        assert "leaf-0-2" in folder.labels_of("a1").labels
