"""`Ledger`: the store of paid calls."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence, Set
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from rubric_engine.errors import StorageError
from rubric_engine.ledger import billing, calls, capable, claims, upkeep
from rubric_engine.ledger.desk import ClaimDesk
from rubric_engine.ledger.keys import Call
from rubric_engine.ledger.opening import connect, connect_reader, failure, storing, transaction
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.ledger.reading import LedgerReader
from rubric_engine.ledger.values import BilledAttempt, Claim, Entry, Pruned
from rubric_engine.ledger.writer import Job, T, Writer


def _any(_: Entry) -> bool:
    return True


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Ledger(LedgerReader):
    """Every paid call, in one SQLite file; opened once a process, used from any thread.

    Made by `Ledger.open`; a context manager that closes it. Once a write fails, all that follows
    raises the same `StorageError`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        super().__init__(path, reader)
        self._db = db
        self._writer = Writer(db, path)
        self._owner = new_owner()
        self._identity = _identity(path)
        self._desk = ClaimDesk(path, self._writer, reader, self._owner)

    @classmethod
    def open(cls, path: Path) -> Ledger:
        """Open a ledger, or make one; claims of processes that are gone end here.

        Raises:
            StorageError: It cannot be written, is damaged, or comes from a newer release.
        """
        db = connect(path)
        try:
            with storing(path), transaction(db):
                claims.void_dead(db)
            return cls(path, db, connect_reader(path))
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Give up the claims that are left, write what is queued, and close the file."""
        self._desk.close()
        self._writer.close()
        retire(self._owner)  # claims that a failed write left behind are void from here on
        super().close()
        self._db.close()

    def lost(self) -> StorageError | None:
        """Tell that the file is gone, or another one, so that what was written is in no file."""
        if _identity(self.path) == self._identity:
            return None
        return failure(self.path, "E917", "was removed or replaced while a run wrote it")

    def _look(self, job: Job[T]) -> T:
        return self._writer.submit(job).result()  # it sees what was queued before

    async def claim(
        self,
        key: str,
        *,
        accept: claims.Accept = _any,
        run: str | None = None,
    ) -> Entry | Claim:
        """Find how a call ended, or get the right to make it.

        Waits while another task, or another process that lives, makes it.

        Args:
            key: Key of the call.
            accept: Tells whether an entry serves; quick and without effects.
            run: The run that uses what is found, which is kept as long as the run.
        """
        return await self._desk.claim(key, accept, run)

    async def commit(
        self, claim: Claim, entry: Entry, call: Call | None = None, *, run: str | None = None
    ) -> None:
        """Store how a call ended; returns once that is durable.

        Args:
            claim: The claim, which ends.
            entry: How the call ended.
            call: What was requested, so that it can be read back.
            run: The run that uses it, as long as which it is kept.
        """
        await self._desk.commit(claim, entry, call, run)

    async def claim_all(
        self, keys: Sequence[str], *, accept: Callable[[Entry], bool] = _any, run: str | None = None
    ) -> dict[str, Entry | Claim]:
        """As `claim`, for several different keys at once: by key what was found, or its claim."""
        return await self._desk.claim_all(keys, accept, run)

    async def commit_all(
        self, ended: Sequence[tuple[Claim, Entry, Call | None]], *, run: str | None = None
    ) -> None:
        """As `commit`, for several calls: all of them are stored, or none."""
        await self._desk.commit_all(ended, run)

    def release(self, claim: Claim) -> None:
        """Give a claim up, so that the next one may ask; one that has ended is left alone."""
        self._desk.release(claim)

    async def shortened(self, key: str, to: str) -> None:
        """Note which request took the place of one that was too long; returns once durable."""
        await asyncio.wrap_future(self._writer.submit(partial(calls.point, key=key, to=to)))

    async def sending(self, attempt: BilledAttempt) -> None:
        """Note what a request counts if this process dies over it; returns once that is durable.

        It belongs to the call that the current task makes, and holds until the attempt is billed.
        """
        lost = billing.attributed(attempt)
        expect = partial(claims.expect, key=lost.key, if_lost=billing.attempt_text(lost))
        await asyncio.wrap_future(self._writer.submit(expect))

    def bill(self, attempt: BilledAttempt) -> None:
        """Store what an attempt cost; durable no later than the next commit."""
        row = billing.attempt_row(billing.attributed(attempt))
        self._writer.submit(partial(billing.bill, row=row))

    def remember_capabilities(self, endpoint: str, found: dict[str, Any]) -> None:
        """Keep what was found out about an endpoint."""
        self._writer.submit(partial(capable.keep, endpoint=endpoint, found=found))

    def start_run(self, run: str) -> datetime:
        """Note that a run begins, and tell when it first did."""
        return self._writer.submit(partial(upkeep.start_run, run=run)).result()

    def begin_run(self, run: str, is_kept: Callable[[], bool]) -> None:
        """Let a new run begin with nothing spent, whatever an earlier one of its name did.

        Args:
            run: Its name.
            is_kept: Tells, while nobody else writes, whether a run of that name is there already,
                as where two processes begin it at once. Then nothing is changed.
        """
        self._writer.submit(partial(upkeep.begin_run, run=run, is_kept=is_kept)).result()

    def forget_run(self, run: str) -> None:
        """Drop a run's references; what it paid stays in the sum of all, and is no run's."""
        self._writer.submit(partial(upkeep.forget_run, run=run)).result()

    def prune(self, older_than: timedelta | None, keep_runs: Callable[[], Set[str]]) -> Pruned:
        """Remove entries that no run needs.

        Args:
            older_than: Least age; None takes any.
            keep_runs: Tells the runs whose calls stay, while nobody else writes: a run that begins
                meanwhile is either among them or has stored nothing yet.
        """
        job = partial(upkeep.prune, older_than=older_than, keep_runs=keep_runs)
        return self._writer.submit(job).result()
