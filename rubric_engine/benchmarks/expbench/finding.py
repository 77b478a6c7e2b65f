"""Finding a question by its id among tasks' folders."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.benchmarks.expbench.folder import RECORD, read_record
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.errors import TaskError
from rubric_engine.lookup import is_file, named
from rubric_engine.near import near


def find_task(name: str, tasks: Path) -> ExpTask:
    """Find a question.

    Args:
        name: Its id, such as ``iclr2024/19008/0`` or ``19008/0``, the name of its folder, or the
            folder's path.
        tasks: The folder that tasks lie in.

    Raises:
        TaskError: There is none, or several that may be meant.
    """
    if is_file(Path(name) / RECORD):
        return read_record(Path(name))
    folders = sorted(named(tasks, (RECORD,)))
    plain = name.strip("/").replace("/", "-")
    found = [folder for folder in folders if folder == plain or folder.endswith(f"-{plain}")]
    exact = [folder for folder in found if folder == plain]
    if len(exact or found) == 1:
        return read_record(tasks / (exact or found)[0])
    raise _unknown(name, tasks, folders, found)


def _unknown(name: str, tasks: Path, folders: list[str], found: list[str]) -> TaskError:
    if found:
        return TaskError(
            f"{name!r} may be {' or '.join(found)}",
            code="E613",
            fix=[f"--task {found[0]}"],
        )
    meant = near(name.replace("/", "-"), [*folders, *(_short(folder) for folder in folders)])
    return TaskError(
        f"no task {name!r} in {tasks}" + (f"; {meant}" if meant else ""),
        code="E613",
        looked=[f"{len(folders)} folders in {tasks} hold {RECORD}"],
        fix=[f"rubric-engine expbench import SOURCE -o {tasks}   makes them", "--tasks DIR"],
    )


def _short(folder: str) -> str:
    return folder.partition("-")[2]
