"""Writing the folder of one run, and no other process beside."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, TextIO

from rubric_engine.errors import StorageError
from rubric_engine.grading import Grade, grade_dict
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric
from rubric_engine.rundir.disk import storing
from rubric_engine.rundir.locking import locked
from rubric_engine.state import seal
from rubric_engine.submission import load_snapshot, save_snapshot
from rubric_engine.submitted import Submission


class RunFolder:
    """A run folder that this process writes, and no other; a context manager.

    Args:
        path: The folder; it is made if it is missing and must not hold a run already.

    Raises:
        StorageError: Another process writes it, it holds a run, or it is not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.started = datetime.now(UTC).isoformat()
        with storing(path, "name another place with --runs DIR"):
            path.mkdir(parents=True, exist_ok=True)
            self._lock = locked(path)
        if holds_run(path):
            self._lock.close()
            raise StorageError(
                f"{path} already holds a run", code="E903", fix=["choose another folder"]
            )
        with storing(path):
            self._grades = (path / "grades.jsonl").open("x", encoding="utf-8")

    @classmethod
    def open_again(cls, path: Path, started: str) -> Self:
        """Open a folder that holds a run, to go on with it.

        What a crash tore at the end of grades.jsonl is cut off.

        Args:
            path: The folder.
            started: When the run began, as its run.json says.

        Raises:
            StorageError: Another process writes it, or it is not writable.
        """
        run = cls.__new__(cls)
        run.path, run.started = path, started
        with storing(path):
            run._lock = locked(path)
        try:
            with storing(path / "grades.jsonl"):
                cut_torn_end(path / "grades.jsonl")
                run._grades = (path / "grades.jsonl").open("a", encoding="utf-8")
                # They tell of the time before; what is known now stands in grades.jsonl.
                (path / "report.json").unlink(missing_ok=True)
                with contextlib.suppress(OSError):
                    (path / "report.html").unlink()
        except BaseException:
            run._lock.close()
            raise
        return run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            with storing(self.path / "grades.jsonl"):
                self._grades.close()
        finally:
            self._lock.close()

    def state(self, status: str, facts: Mapping[str, Any]) -> None:
        """Write run.json, and say in the log what the run is doing now."""
        sealed = seal(self.path.name, self.started)
        head = {"run": 1, "status": status, "started": self.started, "seal": sealed}
        self.write("run.json", head | dict(facts))
        self.log(status)

    def lost(self) -> StorageError | None:
        """Tell that the folder was removed or replaced, so that the grades are in no file."""
        ours = os.fstat(self._grades.fileno())
        with contextlib.suppress(OSError):
            if os.path.samestat(ours, (self.path / "grades.jsonl").stat()):
                return None
        return StorageError(
            f"{self.path} was removed or replaced while the run wrote it",
            code="E907",
            fix=["grade again: answers that were paid for are taken from the ledger"],
        )

    def write(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a JSON file of the run; a reader sees the old one or the new one, whole."""
        self.write_text(name, json.dumps(value, indent=1) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the run, as `write` does; its folder is made if it is missing."""
        path = self.path / name
        half = path.with_name(f".{path.name}.half")
        with storing(path):
            path.parent.mkdir(exist_ok=True, parents=True)
            with half.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # else a power cut may leave the new name without content
            half.replace(path)

    def write_rubric(self, rubric: Rubric) -> None:
        """Keep the rubric as it is graded."""
        with storing(self.path):
            dump_rubric(rubric, self.path / "rubric.json")

    def snapshot(self, submission: Submission, name: str) -> Submission:
        """Keep a submission's files by content, its index as `name`.json.

        Returns:
            The kept submission, which nobody else changes.
        """
        with storing(self.path):
            save_snapshot(submission, self.path, name)
        return load_snapshot(self.path, name)

    def append(self, key: str, grade: Grade) -> None:
        """Add a grade to grades.jsonl at once, so that a crash does not lose it."""
        with storing(self.path / "grades.jsonl"):
            self._grades.write(json.dumps({"key": key, "grade": grade_dict(grade)}) + "\n")
            self._grades.flush()

    def _log(self) -> TextIO:
        # What broke may hold anything, and the locale may know little.
        return (self.path / "log.txt").open("a", encoding="utf-8", errors="backslashreplace")

    def log(self, line: str) -> None:
        """Add a line to log.txt, with the time."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        with storing(self.path / "log.txt"), self._log() as log:
            log.write(f"{stamp} {line}\n")


def holds_run(path: Path) -> bool:
    """Whether a run was begun in a folder."""
    return any((path / name).exists() for name in ("run.json", "grades.jsonl"))


def cut_torn_end(grades: Path) -> None:
    """Cut off what follows the last whole line; a power cut may leave zeros there, too."""
    with grades.open("a+b") as file:
        file.seek(0)
        end = sum(map(len, itertools.takewhile(_is_whole, file)))
        file.truncate(end)


def _is_whole(line: bytes) -> bool:
    return line.startswith(b"{") and line.endswith(b"}\n")


_FRESH = re.compile(r"\d{4}-\d\d-\d\d-.+-[0-9a-f]{6}$")
_PART = re.compile(r"\d{4}-\d\d-\d\d-.+-[0-9a-f]{6}-.")


def new_run_name(task: str) -> str:
    """Return a fresh name for a run: date, task and a short id, such as 2026-05-01-rice-7f3a2c."""
    plain = re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:40] or "run"
    return f"{datetime.now(UTC):%Y-%m-%d}-{plain}-{secrets.token_hex(3)}"


def is_part(name: str) -> bool:
    """Whether a run is one of many that a larger one made: more than a fresh name is its name.

    Args:
        name: Name of the run's folder.
    """
    return bool(_PART.match(name)) and not _FRESH.match(name)
