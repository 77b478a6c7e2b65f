"""A store of executed submissions, so that the same run is not made twice.

folder/<key>.run.json    what happened, under a keyed hash
folder/<key>.json        index of the executed submission
folder/<key>.log         what it printed, bounded
folder/objects/          contents of all of them, by hash

The key is made of everything that a run depends on.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

from rubric_engine.errors import RunError
from rubric_engine.executed.sealing import Sealed, hash_of, log_as_written
from rubric_engine.isolation import Conditions, Execution, RunSpec
from rubric_engine.kept import keyed
from rubric_engine.kept.log_file import keep_log
from rubric_engine.kept.reading import read_as
from rubric_engine.rundir import storing
from rubric_engine.submission import load_snapshot, save_snapshot
from rubric_engine.submission.snapshot import SnapshotSubmission

_END = ".run.json"


class _Kept(Sealed):
    kind: ClassVar[str] = "executed"

    key: str
    index: str
    log: str | None = None
    run: Execution


@dataclass(frozen=True)
class Pruned:
    """What was removed: executed submissions, and bytes."""

    runs: int
    bytes: int


def may_be_reused(execution: Execution, conditions: Conditions) -> bool:
    """Whether a run's outcome follows from what its key is made of.

    Args:
        execution: The run.
        conditions: What the key was made of; the image may have been replaced since.
    """
    ended = execution.status in ("ok", "failed")
    shut_in = execution.network == "none" and not execution.gpus
    return ended and shut_in and execution.image == conditions.image


def key_of(submission: SnapshotSubmission, spec: RunSpec, conditions: Conditions) -> str | None:
    """The key of a run; None where one must not stand for another.

    Args:
        submission: The kept submission.
        spec: How it is run.
        conditions: What the sandbox says that it would stand on.
    """
    environment = keyed(spec.secrets)
    if spec.network != "none" or spec.gpus or environment is None:
        return None
    entries = submission.files.entries
    facts = {
        "store": 2,
        "parts": [asdict(part) for part in submission.parts],
        "history": any(f"{entry.path}/".startswith(".git/") for entry in entries),
        "settings": spec.model_dump(mode="json", exclude={"limits"}),
        "limits": conditions.limits.model_dump(mode="json"),
        "environment": environment,
        "image": conditions.image,
        "recipe": conditions.recipe,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


class Store:
    """Executed submissions in a folder.

    Args:
        folder: Where; made if need be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def is_empty(self) -> bool:
        """Whether no run is kept."""
        return not self._runs()

    def find(self, key: str) -> Execution | None:
        """The run of that key; None where there is none that is ours, whole and undamaged."""
        try:
            kept = read_as(self.folder / f"{key}{_END}", _Kept)
            if not kept.is_ours or kept.key != key or hash_of(self._index(key)) != kept.index:
                return None
            submission = load_snapshot(self.folder, key)
        except (RunError, OSError):
            return None
        assert isinstance(submission, SnapshotSubmission)
        if not self._whole(submission):
            return None
        log = log_as_written(self._log(key), kept.log)
        return kept.run.model_copy(update={"submission": submission, "log_file": log})

    def keep(self, key: str, execution: Execution) -> None:
        """Keep a run.

        Raises:
            StorageError: The disk refuses.
            SubmissionError: The executed submission changed meanwhile.
        """
        assert execution.submission is not None
        with storing(self.folder):
            save_snapshot(execution.submission, self.folder, key)
            self._log(key).unlink(missing_ok=True)  # of an earlier run that no longer counts
            keep_log(execution, self._log(key))
            log = hash_of(self._log(key)) if self._log(key).exists() else None
            kept = _Kept(key=key, index=hash_of(self._index(key)), log=log, run=execution).sealed()
            half = self.folder / f".{secrets.token_hex(6)}.half"
            half.write_text(json.dumps(kept.model_dump(mode="json")), encoding="ascii")
            half.replace(self.folder / f"{key}{_END}")

    def prune(self, older_than: timedelta | None) -> Pruned:
        """Remove runs, and the contents that no other run refers to.

        Args:
            older_than: Only runs that were kept longer ago; None removes all.

        Raises:
            StorageError: The disk refuses.
        """
        if not self.folder.is_dir():
            return Pruned(0, 0)
        before = time.time() - (older_than.total_seconds() if older_than else 0)
        with storing(self.folder):
            old = [path for path in self._runs() if older_than is None or _age(path) < before]
            size = sum(self._remove(path.name.removesuffix(_END)) for path in old)
            return Pruned(len(old), size + self._sweep())

    def _runs(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_END}"))

    def _remove(self, key: str) -> int:
        files = (self.folder / f"{key}{_END}", self._index(key), self._log(key))
        return sum(map(_unlink, files))

    def _sweep(self) -> int:
        """Remove the contents that no run refers to."""
        used = {sha256 for path in self._runs() for sha256 in self._contents(path)}
        objects = self.folder / "objects"
        return sum(_unlink(path) for path in objects.glob("??/*") if path.name not in used)

    def _contents(self, run: Path) -> Iterator[str]:
        with suppress(RunError):
            submission = load_snapshot(self.folder, run.name.removesuffix(_END))
            assert isinstance(submission, SnapshotSubmission)
            yield from (part.sha256 for part in submission.parts if part.sha256)

    def _whole(self, submission: SnapshotSubmission) -> bool:
        """Whether all contents are as they were kept; a damaged one makes room for a good one."""
        contents = {part.sha256 for part in submission.parts if part.sha256}
        damaged = [sha256 for sha256 in contents if not _holds(self._object(sha256), sha256)]
        for sha256 in damaged:
            with suppress(OSError):
                self._object(sha256).unlink()
        return not damaged

    def _index(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _log(self, key: str) -> Path:
        return self.folder / f"{key}.log"

    def _object(self, sha256: str) -> Path:
        return self.folder / "objects" / sha256[:2] / sha256


def _holds(path: Path, sha256: str) -> bool:
    """Whether a file can be read and holds the content of that hash."""
    with suppress(OSError):
        return hash_of(path) == sha256
    return False


def _age(path: Path) -> float:
    return path.stat().st_mtime


def _unlink(path: Path) -> int:
    """Remove a file; returns its bytes, 0 where it is gone."""
    with suppress(FileNotFoundError):
        size = path.stat().st_size
        path.unlink()
        return size
    return 0
