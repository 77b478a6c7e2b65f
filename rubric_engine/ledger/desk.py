"""Claims as tasks see them: waiting for one, committing it, giving it up."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rubric_engine.ledger import calls, claims, upkeep
from rubric_engine.ledger.keys import Call
from rubric_engine.ledger.opening import storing
from rubric_engine.ledger.process import lives
from rubric_engine.ledger.turns import Turns
from rubric_engine.ledger.values import Claim, Entry
from rubric_engine.ledger.writer import Writer

_FIRST_WAIT_S = 0.02
_LONGEST_WAIT_S = 0.5


class ClaimDesk:
    """Hands out claims to the tasks of this process.

    The writer takes jobs in the order they come. So what is queued here needs no waiting when a
    task is cancelled: the next one's look-up comes after it.

    Args:
        path: The ledger's file, for errors.
        writer: Writes.
        reader: A connection to read with.
        owner: In whose name claims are held.
    """

    def __init__(self, path: Path, writer: Writer, reader: sqlite3.Connection, owner: str) -> None:
        self._path = path
        self._writer = writer
        self._reader = reader
        self._owner = owner
        self._turns = Turns()
        self._held: dict[str, Claim] = {}

    async def claim(self, key: str, accept: claims.Accept, run: str | None) -> Entry | Claim:
        """Find how a call ended, or get the right to make it; waits for whoever makes it.

        What is found is referred to by the run at once, and durably so.
        """
        take = partial(claims.take, key=key, owner=self._owner, accept=accept, run=run)
        await self._turns.enter(key)
        try:
            found = await asyncio.wrap_future(self._writer.submit(take))
            while found is None:
                await self._until_free(key)
                found = await asyncio.wrap_future(self._writer.submit(take))
        except BaseException:
            try:
                self._drop(key)
            finally:
                self._turns.leave(key)
            raise
        if isinstance(found, Claim):
            self._held[key] = found
        else:
            self._turns.leave(key)
        return found

    async def claim_all(
        self, keys: Sequence[str], accept: claims.Accept, run: str | None
    ) -> dict[str, Entry | Claim]:
        """As `claim`, for several different keys at once: while it waits, it holds none of them.

        Tasks of this process take their turns in the order of the keys, so that no two of them
        wait for each other.
        """
        ordered = sorted(keys)
        entered: list[str] = []
        take = partial(claims.take_all, keys=ordered, owner=self._owner, accept=accept, run=run)
        try:
            for key in ordered:
                await self._turns.enter(key)
                entered.append(key)
            found = await asyncio.wrap_future(self._writer.submit(take))
            while isinstance(found, str):
                await self._until_free(found)
                found = await asyncio.wrap_future(self._writer.submit(take))
        except BaseException:
            try:
                for key in entered:
                    self._drop(key)
            finally:
                for key in entered:
                    self._turns.leave(key)
            raise
        for key, ended in found.items():
            if isinstance(ended, Claim):
                self._held[key] = ended
            else:
                self._turns.leave(key)
        return found

    async def commit(self, claim: Claim, entry: Entry, call: Call | None, run: str | None) -> None:
        """Store how a call ended and which run uses it; returns once that is durable."""
        await self.commit_all([(claim, entry, call)], run)

    async def commit_all(
        self, ended: Sequence[tuple[Claim, Entry, Call | None]], run: str | None
    ) -> None:
        """Store how several calls ended, all of them or none; returns once that is durable."""
        rows = [calls.entry_row(entry) for _, entry, _ in ended]

        def write(db: sqlite3.Connection) -> None:
            for (claim, _, call), row in zip(ended, rows, strict=True):
                if call is not None:
                    calls.put_call(db, call)
                calls.put(db, row)
                if run is not None:
                    upkeep.refer(db, run, claim.key)
                claims.drop(db, claim.key, self._owner)

        try:
            await asyncio.wrap_future(self._writer.submit(write))
        finally:
            for claim, _, _ in ended:
                self._let_go(claim)

    def release(self, claim: Claim) -> None:
        """Give a claim up; one that has ended is left alone."""
        if self._held.get(claim.key) is claim:
            self._drop(claim.key)
            self._let_go(claim)

    def close(self) -> None:
        """Give up every claim that is left."""
        for claim in tuple(self._held.values()):
            self.release(claim)

    def _drop(self, key: str) -> None:
        # After a failed write the claim stays in the file: it bills what may be lost.
        if not self._writer.failed:
            self._writer.submit(partial(claims.drop, key=key, owner=self._owner))

    def _let_go(self, claim: Claim) -> None:
        del self._held[claim.key]
        self._turns.leave(claim.key)

    async def _until_free(self, key: str) -> None:
        wait = _FIRST_WAIT_S
        while self._is_held(key):
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_WAIT_S)

    def _is_held(self, key: str) -> bool:
        with storing(self._path):
            holder = claims.held_by(self._reader, key)
        return holder is not None and lives(holder)
