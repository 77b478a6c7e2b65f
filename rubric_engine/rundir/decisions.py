"""What people said of the monitor's findings, as a run keeps it: one line a word, never changed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import Place, RunError
from rubric_engine.monitored import MonitorDecision
from rubric_engine.rundir.disk import storing

DECISIONS = "monitor-decisions.jsonl"

_MOST_BYTES = 50_000_000


def read_decisions(run: Path) -> tuple[MonitorDecision, ...]:
    """The decisions of a run, in the order in which they were made; none where nobody decided.

    What a crash left of a last line is passed over.

    Raises:
        RunError: The file is damaged.
    """
    path = run / DECISIONS
    try:
        if path.is_symlink() or not path.is_file():
            return ()
        if path.stat().st_size > _MOST_BYTES:
            said = f"{path} has more than {_MOST_BYTES // 10**6} MB"
            raise RunError(said, code="E582", fix=[_set_aside(path)])
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        said = f"{path} cannot be read: {error.strerror}"
        raise RunError(said, code="E582", fix=[f"ls -l {shlex.quote(str(path))}"]) from None
    return tuple(_decision(path, number, line) for number, line in enumerate(lines, 1))


def _decision(path: Path, number: int, line: bytes) -> MonitorDecision:
    try:
        return MonitorDecision.model_validate_json(line)
    except ValidationError as error:
        said = error.errors(include_url=False, include_input=False)[0]["msg"]
        place, words = Place(str(path), number), f"this line is no decision: {said}"
        raise RunError(words, code="E582", place=place, fix=[_set_aside(path)]) from None


def _set_aside(path: Path) -> str:
    name = shlex.quote(str(path))
    return f"mv {name} {name}.damaged   sets it aside; decide again what still holds"


def add_decision(run: Path, decision: MonitorDecision) -> None:
    """Append a decision; who calls it holds the run's lock.

    Raises:
        StorageError: It cannot be written, or a link stands in its place.
    """
    path = run / DECISIONS
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    with storing(path), os.fdopen(os.open(path, flags, 0o666), "r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)  # what a crash left of a last line
        file.seek(0, os.SEEK_END)
        file.write(decision.model_dump_json().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
