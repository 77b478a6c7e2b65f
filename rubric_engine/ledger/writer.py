"""One thread that writes for all: what comes in while the disk syncs goes out together."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from rubric_engine.errors import RubricEngineError, StorageError
from rubric_engine.ledger.opening import storing, transaction

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
"""Something to do within a transaction."""

_GROUP = 256
_WAITING = 1024


class Writer:
    """Runs jobs in the order they come, many to one transaction.

    After the first failure every later job fails with the same error: who has lost the disk must
    not go on paying for answers.

    Args:
        db: The connection; nothing else may write on it.
        path: Its file, for errors.
    """

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._queue: queue.Queue[tuple[Job[Any], Future[Any]] | None] = queue.Queue(_WAITING)
        self._failure: StorageError | None = None
        self._closed = False
        self._submitting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    @property
    def failed(self) -> bool:
        """True once a write has failed."""
        return self._failure is not None

    def submit(self, job: Job[T]) -> Future[T]:
        """Queue a job; waits where too many are queued.

        Returns:
            Its result, there once it is durable.
        """
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not undo the job
        with self._submitting:
            if self._closed:
                raise RubricEngineError(f"the ledger {self._path} is closed")
            self._queue.put((job, future))
        return future

    def close(self) -> None:
        """Write what is queued and end the thread."""
        with self._submitting:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            group = [self._queue.get()]
            while len(group) < _GROUP and not self._queue.empty():
                group.append(self._queue.get())
            going = None not in group
            self._write([item for item in group if item is not None])

    def _write(self, group: list[tuple[Job[Any], Future[Any]]]) -> None:
        try:
            if self._failure is not None:
                raise self._failure
            with storing(self._path), transaction(self._db):
                results = [job(self._db) for job, _ in group]
        except StorageError as error:
            self._failure = error
            for _, future in group:
                future.set_exception(error)
        except Exception as error:  # noqa: BLE001  # whoever waits for the job gets it
            if len(group) == 1:
                group[0][1].set_exception(error)
            for item in group if len(group) > 1 else ():
                self._write([item])  # so that one bad job fails alone
        else:
            _deliver(group, results)


def _deliver(group: list[tuple[Job[Any], Future[Any]]], results: list[Any]) -> None:
    for (_, future), result in zip(group, results, strict=True):
        future.set_result(result)
