"""A question as a task's folder, and back.

rubric.yaml     what is graded; it holds the answer
task.yaml       title, limits, and for the monitor which files are hidden
paper.md        what the one who answers is given: question, method, instructions
blacklist.txt   the original repository, where it is known
expbench.json   all that is known of the question, the answer included
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from rubric_engine.benchmarks.expbench.masking.hiding import spellings
from rubric_engine.benchmarks.expbench.rubric_of import ANSWER, rubric_of
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.errors import StorageError, TaskError
from rubric_engine.monitor.blacklist import parse_blacklist
from rubric_engine.replacing import replace_text
from rubric_engine.rubric_file import dump_rubric, load_model
from rubric_engine.rundir import storing

RECORD = "expbench.json"
"""What tells a task's folder of EXP-Bench."""

BLACKLIST = "blacklist.txt"

_MINUTES = 40
"""How long a run may take: what the paper gives an experiment."""

_WILD = re.compile(r"[*?\[]")
_ORIGINALS = "tmp/repos/*"
"""Where the data set's own paths have the originals."""

CONCLUDED = f"{ANSWER}#/conclusion"
"""The report that every answer has."""

State = Literal["new", "unchanged", "replaced"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    expbench: Literal[1]
    task: ExpTask


def to_task_folder(task: ExpTask, folder: Path, *, replace: bool = False) -> State:
    """Write a question as a task that `load_task` reads.

    Args:
        task: The question.
        folder: The task's folder; made where it is missing.
        replace: Whether files that say something else are replaced.

    Returns:
        What became of the folder.

    Raises:
        StorageError: It holds something else and is not to be replaced, or another question, or
            cannot be written.
    """
    texts = dict(_texts(task))
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        before = {entry.name for entry in folder.iterdir()}
    different = [name for name in texts if name in before and _differs(folder / name, texts[name])]
    if before and RECORD not in before:
        raise _in_the_way(folder, "holds something that `expbench import` did not write", ())
    other = _other_id(task, folder) if RECORD in different else None
    if other is not None:
        raise _in_the_way(folder, f"holds another question, {other}", (), replaceable=False)
    if different and not replace:
        raise _in_the_way(folder, "holds other files of the same names", different)
    for name, text in texts.items():
        if name in different or name not in before:
            replace_text(folder / name, text)
    if not before:
        return "new"
    return "replaced" if different or set(texts) - before else "unchanged"


def read_record(folder: Path) -> ExpTask:
    """Read the question back from its task's folder.

    Raises:
        TaskError: There is none, or it is not as it was written.
    """
    return load_model(folder / RECORD, _Record, error=TaskError, code="E619").task


def paper_of(task: ExpTask) -> str:
    """What the one who answers is given; it holds nothing of the answer."""
    parts = {
        "Question": task.question,
        "Method": task.method,
        "Instructions": task.agent_instructions,
    }
    title = " ".join(task.paper_title.split()) or f"Paper {task.paper_id}, {task.conference}"
    sections = [f"## {name}\n\n{text.strip()}\n" for name, text in parts.items() if text.strip()]
    return "\n".join([f"# {title}\n", *sections])


def _texts(task: ExpTask) -> Iterator[tuple[str, str]]:
    yield "rubric.yaml", dump_rubric(rubric_of(task))
    yield "task.yaml", "".join(_settings(task))
    yield "paper.md", paper_of(task)
    if "\n" not in task.github_url and task.github_url.strip():
        yield BLACKLIST, task.github_url.strip() + "\n"
    record = {"expbench": 1, "task": task.model_dump()}
    yield RECORD, json.dumps(record, indent=1) + "\n"


def _settings(task: ExpTask) -> Iterator[str]:
    """The lines of `task.yaml`; the files that answer the question are hidden from the agent."""
    yield f"title: {json.dumps(task.id)}\nlimits: {{time: {_MINUTES}m}}\n"
    globs = [*map(_glob, task.hidden_files), *_readmes(task.github_url)]
    masked = json.dumps(list(filter(None, dict.fromkeys(globs))))
    yield f"monitor: {{masked: {masked}, hides_paper: true, reports: [{json.dumps(CONCLUDED)}]}}\n"


def _glob(name: str) -> str:
    """A glob of a hidden file, whatever folder the repository lies in; of a folder, of all in it.

    The shortest spelling: the monitor tries every end of a path that was read.
    """
    *_, shortest = spellings(name)
    return _WILD.sub(r"[\g<0>]", shortest.strip("/"))


def _readmes(url: str) -> Iterator[str]:
    """Globs of the README of the original, where originals lie; others may be read."""
    known = (one.path for one in parse_blacklist([url]) if one.kind == "repository")
    named = [_any_case(path.rpartition("/")[2]) for path in known if "/" in path]
    for root in (_ORIGINALS, *named):
        for ending in ("", ".*", "[-_]*"):
            yield f"{root}/{_any_case('readme')}{ending}"


def _any_case(name: str) -> str:
    """A glob of a name in lower case that is written in any."""
    return "".join(f"[{char.upper()}{char}]" if char.isalpha() else char for char in name)


def _differs(path: Path, text: str) -> bool:
    with storing(path):
        return not path.is_file() or path.read_bytes() != text.encode()


def _other_id(task: ExpTask, folder: Path) -> str | None:
    """The id of the question that a folder holds, where it is another one."""
    try:
        held = read_record(folder).id
    except TaskError:
        return None  # damaged: it may be written anew
    return held if held != task.id else None


def _in_the_way(
    folder: Path, why: str, names: list[str] | tuple[str, ...], *, replaceable: bool = True
) -> StorageError:
    replacing = ["--replace writes these files anew"] if replaceable else []
    return StorageError(
        f"{folder} {why}",
        code="E614",
        looked=[str(folder / name) for name in names],
        fix=[*replacing, "-o DIR names another folder"],
    )
