"""`load_expbench`: from files of EXP-Bench, in either format, to questions."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from rubric_engine.benchmarks.expbench.csv_file import read_csv
from rubric_engine.benchmarks.expbench.json_file import JSON_ENDING, read_json
from rubric_engine.benchmarks.expbench.notes import DOUBTFUL, WRONG, Notes
from rubric_engine.benchmarks.expbench.task import ExpFile, ExpTask
from rubric_engine.errors import Place, TaskError
from rubric_engine.rubric_file.models import several
from rubric_engine.rubric_file.source import Blame, read_source

_ARCHIVED = "archived"
_MARK = b"impl_requirements"
_HEAD_BYTES = 1_000


def load_expbench(path: str | os.PathLike[str], *, strict: bool = False) -> ExpFile:
    """Read questions of EXP-Bench.

    Args:
        path: A paper's JSON file, a CSV of the data set, or a folder: all papers' files below it,
            or else all such CSVs. Links are not followed, and folders called ``archived``, which
            hold what was given up, are passed over with a warning.
        strict: Whether keys that nobody knows are errors; else they are kept, with a warning.

    Raises:
        TaskError: Nothing is found, or something is wrong in it; `problems` lists everything with
            file, line and column, in a CSV with line, row and the column's name.
    """
    notes = Notes(strict)
    tasks = [task for file in _files(Path(path), notes) for task in _read(file, notes)]
    if not notes.problems and not tasks:
        notes.wrong("there is no question in it", Place(str(path)))
    if notes.problems:
        raise several(notes.problems, TaskError)
    return ExpFile(tuple(_unique(tasks)), tuple(notes.warnings))


def _read(file: Path, notes: Notes) -> list[ExpTask]:
    try:
        text = read_source(file, Blame(TaskError, WRONG, "file"))
    except TaskError as error:
        error.fix = (*error.fix, *_in_data_set(file))
        raise
    read = read_csv if file.suffix.lower() == ".csv" else read_json
    return read(text, file, notes)


def _in_data_set(file: Path) -> list[str]:
    """Where a paper is found that is named as in the data set, such as `iclr2024/19008`."""
    if file.exists() or file.is_absolute() or file.suffix:
        return []
    found = shlex.quote(f"path/to/dataset/{file}")
    return [
        f"rubric-engine expbench import {found}"
        "   where the data set is the folder that holds iclr2024/ and neurips2024/"
    ]


def _files(path: Path, notes: Notes) -> list[Path]:
    """The file, or those in a folder."""
    if not path.is_dir():
        return [path]
    papers: list[Path] = []
    tables: list[Path] = []
    for folder, inner, names in os.walk(path):
        inner.sort()
        if _ARCHIVED in inner:
            inner.remove(_ARCHIVED)
            there = Place(str(Path(folder) / _ARCHIVED))
            notes.warn(DOUBTFUL, f"the folder {_ARCHIVED!r} is passed over", there)
        files = [Path(folder) / name for name in sorted(names)]
        files = [file for file in files if not file.is_symlink() and file.is_file()]
        papers += [file for file in files if file.name.endswith(JSON_ENDING)]
        tables += [file for file in files if file.suffix.lower() == ".csv" and _is_table(file)]
    if papers or tables:
        return papers or tables
    raise TaskError(
        f"{path} holds no file of EXP-Bench",
        code="E612",
        looked=[f"{path}/**/*{JSON_ENDING}", f"{path}/**/*.csv with a column impl_requirements"],
        fix=["give the path of a paper's file, of its folder, or of the data set's CSV"],
    )


def _is_table(file: Path) -> bool:
    with file.open("rb") as content:
        return _MARK in content.read(_HEAD_BYTES)


def _unique(tasks: Sequence[ExpTask]) -> list[ExpTask]:
    found: dict[str, ExpTask] = {}
    for task in tasks:
        other = found.setdefault(task.folder, task)
        if other is not task:
            raise _twice(other, task)
    return list(found.values())


def _twice(one: ExpTask, other: ExpTask) -> TaskError:
    """Two questions with one folder: of the same id, or of ids such as a-b/c/0 and a/b-c/0."""
    said, apart = f"{one.id} stands twice", ""
    if one.id != other.id:
        said = f"{one.id} and {other.id} would both be the task {one.folder}"
        apart = ", and the other with another -o"
    return TaskError(
        said,
        code="E613",
        looked=[f"{each.id}: {each.question[:70]}" for each in (one, other)],
        fix=[f"give one of the files alone{apart}"],
    )
