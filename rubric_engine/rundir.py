"""The folder of one run: what was graded, by whom, and every grade as soon as it is known.

run.json         hashes, versions, settings, status
rubric.json      the rubric as it was graded
handed_in.json   index of the submission; its files by content under objects/
executed.json    the same after reproduce.sh, where it ran
execution.json   what happened in that run
grades.jsonl     one line a leaf, appended as leaves finish
report.json      the result
log.txt          what went on, with times
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from rubric_engine.case import Submission
from rubric_engine.errors import RunError, StorageError
from rubric_engine.grading import Grade
from rubric_engine.near import near
from rubric_engine.result import Notice, Report, grade_dict
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric, load_rubric
from rubric_engine.submission import save_snapshot


@contextmanager
def storing(what: str | Path) -> Iterator[None]:
    """Turn what the system says of a failed write into a `StorageError` that names the place."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write {what}: {error.strerror or error}",
            fix=["free space, or choose another place with --runs DIR"],
        ) from None


class RunFolder:
    """A run folder that this process writes, and no other.

    Args:
        path: The folder; it is made if it is missing and must not hold a run already.

    Raises:
        StorageError: Another process writes it, it holds a run, or it is not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with storing(path):
            path.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(path)
        if (path / "run.json").exists():
            self._lock.close()
            raise StorageError(
                f"{path} already holds a run", code="E903", fix=["choose another folder"]
            )
        with storing(path):
            self._grades = (path / "grades.jsonl").open("a", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._grades.close()
        self._lock.close()

    def write(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a JSON file of the run; a reader sees the old one or the new one, whole."""
        self.write_text(name, json.dumps(value, indent=1))

    def write_text(self, name: str, text: str) -> None:
        """Write a file of the run, whole or not at all."""
        half = self.path / f".{name}.half"
        with storing(self.path / name):
            half.write_text(text, encoding="utf-8")
            half.replace(self.path / name)

    def write_rubric(self, rubric: Rubric) -> None:
        """Keep the rubric as it is graded."""
        with storing(self.path):
            dump_rubric(rubric, self.path / "rubric.json")

    def snapshot(self, submission: Submission, name: str) -> None:
        """Keep a submission's files by content, its index as `name`.json."""
        with storing(self.path):
            save_snapshot(submission, self.path, name)

    def append(self, key: str, grade: Grade) -> None:
        """Add a grade to grades.jsonl at once, so that a crash does not lose it."""
        with storing(self.path / "grades.jsonl"):
            self._grades.write(json.dumps({"key": key, "grade": grade_dict(grade)}) + "\n")
            self._grades.flush()

    def log(self, line: str) -> None:
        """Add a line to log.txt, with the time."""
        stamp = datetime.now(UTC).isoformat(timespec="seconds")
        with storing(self.path / "log.txt"), (self.path / "log.txt").open("a") as log:
            log.write(f"{stamp} {line}\n")


def _locked(path: Path) -> Any:
    lock = (path / "lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise StorageError(
            f"{path} is being written by another process (pid {holder})", code="E902"
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def new_run_name(task: str) -> str:
    """Return a fresh name for a run: date, task and a short id, such as 2026-05-01-rice-7f3a2c."""
    plain = re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")[:40] or "run"
    return f"{datetime.now(UTC):%Y-%m-%d}-{plain}-{secrets.token_hex(3)}"


def runs_in(base: Path) -> list[Path]:
    """Run folders in `base`, oldest first."""
    if not base.is_dir():
        return []
    found = [entry for entry in base.iterdir() if (entry / "run.json").is_file()]
    return sorted(found, key=lambda run: ((run / "run.json").stat().st_mtime_ns, run.name))


def find_run(name: str, bases: list[Path]) -> Path:
    """Find a run by path, by the unique end of its name, or as `latest`.

    Raises:
        RunError: No run, or several, fit.
    """
    if (Path(name) / "run.json").is_file():
        return Path(name)
    runs = [run for base in bases for run in runs_in(base)]
    if name == "latest" and runs:
        return runs[-1]
    fits = [run for run in runs if run.name == name or run.name.endswith(name)]
    if len(fits) == 1:
        return fits[0]
    trouble = f"{len(fits)} runs end in {name!r}" if fits else f"no run {name!r}"
    meant = near(name, (run.name for run in runs))
    raise RunError(
        trouble + (f"; {meant}" if meant and not fits else ""),
        looked=[f"looked in {base} ({len(runs_in(base))} runs)" for base in bases],
        fix=["rubric-engine runs list", "rubric-engine grade SUBMISSION --task TASK   makes a run"],
    )


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of a run folder.

    Raises:
        RunError: It is missing or no JSON object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", code="E522") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not valid JSON: {error}", code="E522") from None
    if not isinstance(value, dict):
        raise RunError(f"{path} is not a JSON object", code="E522")
    return value


def load_report(run: Path) -> Report:
    """Read the report of a finished run, without judging anything again.

    Raises:
        RunError: The run has no report, or it cannot be read.
    """
    if not (run / "report.json").is_file():
        raise RunError(
            f"{run} has no report: the run did not finish",
            code="E523",
            fix=["grade the submission again"],
        )
    data = read_json(run / "report.json")
    try:
        grades = {key: Grade.model_validate(value) for key, value in data["grades"].items()}
        notices = tuple(Notice(**notice) for notice in data["warnings"])
        return Report(
            rubric=load_rubric(run / "rubric.json"),
            grades=grades,
            missing=data["missing"],
            notices=notices,
            cost=data["cost"],
            provenance=data["provenance"],
            run=str(run),
            disqualified=data["disqualified"],
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RunError(f"{run / 'report.json'} is not a report: {error}", code="E522") from None
