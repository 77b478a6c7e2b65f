"""Where queries run: a folder of the data files they name, and a process that may be killed."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from rubric_engine.errors import StorageError
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.sql_files import Copies, wanted
from rubric_engine.judges.rules.view import View

MAX_COPIED = 1_000_000_000
"""Bytes of data files that one query may name."""

TIME_LIMIT = 10.0
"""Seconds that one query may take, by the clock, the start of its process included."""

MEMORY_LIMIT = 512_000_000
"""Bytes that DuckDB may use for one query."""

_CHILD = Path(__file__).with_name("sql_child.py")

# A query needs none of the user's variables, and a reader that a data file breaks finds no keys.
_PASSED_ON = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "LANG")


@dataclass
class SqlDesk:
    """Runs queries over the data files of views; a context manager that cleans up after itself.

    Each query has a process and a folder of its own, so neither the order of leaves nor their
    company changes an answer.

    Args:
        time_limit: Seconds for one query.
        memory_limit: Bytes for one query.
        max_copied: Bytes of data files for one query.
    """

    time_limit: float = TIME_LIMIT
    memory_limit: int = MEMORY_LIMIT
    max_copied: int = MAX_COPIED
    _copies: Copies = field(init=False)
    _child: subprocess.Popen[str] | None = None
    _closed: bool = False
    # Held while a query has its folder, so that closing from another thread leaves nothing behind.
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._copies = Copies(self.max_copied)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End a query that runs, also one of another thread, and remove the copies."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            self._copies.remove()

    def ask(self, query: str, view: View) -> dict[str, Any]:
        """Run a query over the data files of a view that it names.

        Returns:
            The answer of `sql_child`.

        Raises:
            Undecided: Time or memory ran out, or a file that it names was too large to copy.
        """
        with self._lock:
            self._require_open()
            try:
                with self._copies.folder(wanted(query, view), view) as folder:
                    return self._run(query, folder)
            except StorageError as error:
                raise Undecided("infra", error.message) from error

    def _require_open(self) -> None:
        if self._closed:
            raise Undecided("cancelled", "the grading was cancelled")

    def _run(self, query: str, folder: Path) -> dict[str, Any]:
        request = {
            "folder": str(folder),
            "query": query,
            "memory": self.memory_limit,
            "seconds": math.ceil(self.time_limit),
            "parent": os.getpid(),
        }
        with _started() as child:
            self._child = child
            try:
                if self._closed:  # since it was last asked, and without a process to end
                    child.kill()
                said, _ = child.communicate(json.dumps(request), timeout=self.time_limit)
            except subprocess.TimeoutExpired:
                raise Undecided("check_limit", f"not done in {self.time_limit:g} s") from None
            finally:
                self._child = None
                child.kill()
        self._require_open()
        with suppress(ValueError):
            answer: dict[str, Any] = json.loads(said)
            return answer
        raise Undecided("check_limit", f"the database gave up (status {child.returncode})")


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
