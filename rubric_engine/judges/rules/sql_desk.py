"""Where queries run: a private copy of the data files, and a process that may be killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Self

from rubric_engine.files import File
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.view import View

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet")
"""Suffixes of the files that a query can read; DuckDB goes by the suffix, too."""

MAX_COPIED = 1_000_000_000
"""Bytes of data files that are copied for the queries of one grading."""

TIME_LIMIT = 10.0
"""Seconds that one query may take, by the clock, the start of a process included."""

MEMORY_LIMIT = 512_000_000
"""Bytes that DuckDB may use for one query."""

_CHILD = Path(__file__).with_name("sql_child.py")

# A query needs none of the user's variables, and a reader that a data file breaks finds no keys.
_PASSED_ON = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "LANG")


@dataclass
class SqlDesk:
    """Runs queries over the data files of views; a context manager that cleans up after itself.

    Args:
        time_limit: Seconds for one query.
        memory_limit: Bytes for one query.
        max_copied: Bytes of data files that are copied for one view.
    """

    time_limit: float = TIME_LIMIT
    memory_limit: int = MEMORY_LIMIT
    max_copied: int = MAX_COPIED
    _copies: dict[int, tuple[Path, tuple[File, ...]]] = field(default_factory=dict)
    _child: subprocess.Popen[str] | None = None
    _closed: bool = False
    # Held while files are copied, so that closing from another thread leaves nothing behind.
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End a query that runs, also one of another thread, and remove the copies."""
        self._closed = True
        self._end()
        with self._lock:
            for folder, _ in self._copies.values():
                shutil.rmtree(folder, ignore_errors=True)
            self._copies.clear()

    def ask(self, query: str, view: View) -> dict[str, Any]:
        """Run a query over the data files of a view.

        Returns:
            The answer of `sql_child`.

        Raises:
            Undecided: Time or memory ran out, or a file that it names was too large to copy.
        """
        folder, left_out = self._copy(view)
        for file in left_out:
            if PurePosixPath(file.path).suffix.lower() in query.lower() or "*'" in query:
                raise Undecided("check_limit", f"{file.path} has {file.size} bytes: too many")
        return self._run(query, folder)

    def _copy(self, view: View) -> tuple[Path, tuple[File, ...]]:
        with self._lock:
            if self._closed:
                raise Undecided("cancelled", "the grading was cancelled")
            if id(view) not in self._copies:
                self._copies[id(view)] = _copied(view, self.max_copied)
            return self._copies[id(view)]

    def _run(self, query: str, folder: Path) -> dict[str, Any]:
        request = {"folder": str(folder), "query": query, "memory": self.memory_limit}
        late = threading.Event()
        child = self._child = self._child or _started()

        def end() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(self.time_limit, end)
        timer.start()
        said = "" if self._closed else _answered(child, json.dumps(request))
        timer.cancel()
        timer.join()  # from here on `late` is final
        if late.is_set() or not said.endswith("\n"):
            status = self._end()
            if self._closed:
                raise Undecided("cancelled", "the grading was cancelled")
            took = f"not done in {self.time_limit:g} s"
            gave_up = f"the database gave up (status {status})"
            raise Undecided("check_limit", took if late.is_set() else gave_up)
        answer: dict[str, Any] = json.loads(said)
        return answer

    def _end(self) -> int | None:
        """End the process, if there is one; the next query starts another."""
        child, self._child = self._child, None
        if child is None:
            return None
        child.kill()
        status = child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):  # what was not sent yet cannot be sent any more
                if pipe is not None:
                    pipe.close()
        return status


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603  # our own program; a query is data to it
        [sys.executable, "-P", str(_CHILD)],  # -P: its folder's names must not hide others'
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
    )


def _answered(child: subprocess.Popen[str], request: str) -> str:
    """Send a request and wait for the answer; empty where the process ended instead."""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(request + "\n")
        child.stdin.flush()
        return child.stdout.readline()
    except (OSError, ValueError):  # the pipe is broken, or closed from another thread
        return ""


def _copied(view: View, most: int) -> tuple[Path, tuple[File, ...]]:
    """Copy the data files of a view; return the folder, and the files left out."""
    fit, left_out = _fitting(view.files, most)
    folder = Path(tempfile.mkdtemp(prefix="rubric-engine-sql-")).resolve()
    try:
        for file in fit:
            _write(folder / file.path, view.content(file))
    except (Undecided, OSError) as error:
        shutil.rmtree(folder, ignore_errors=True)  # half a copy would give wrong answers
        if isinstance(error, Undecided):
            raise
        raise Undecided("infra", f"the data files cannot be copied: {error.strerror}") from error
    return folder, left_out


def _fitting(files: Iterable[File], most: int) -> tuple[tuple[File, ...], tuple[File, ...]]:
    """Split the data files into those that fit, the small ones first, and those left out."""
    data = (file for file in files if file.path.lower().endswith(SUFFIXES))
    fit, total = list[File](), 0
    ordered = sorted(data, key=lambda file: file.size)
    for file in ordered:
        total += file.size
        if total > most:
            break
        fit.append(file)
    return tuple(fit), tuple(ordered[len(fit) :])


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    target.chmod(0o400)
