"""`LedgerReader`: what a ledger tells, without a change to it."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from typing import Any, Self

from rubric_engine.ledger import billing, calls, capable, claims, upkeep
from rubric_engine.ledger.keys import Call
from rubric_engine.ledger.opening import connect_for_reading, storing
from rubric_engine.ledger.values import CountedAnswer, Entry, Info, Spent
from rubric_engine.ledger.writer import Job, T
from rubric_engine.model import Message
from rubric_engine.reserved import Excess


class LedgerReader:
    """Tells what a ledger holds, also where nobody may write.

    Made by `LedgerReader.open`; a context manager that closes it.
    """

    def __init__(self, path: Path, reader: sqlite3.Connection) -> None:
        self.path = path
        self._reader = reader

    @classmethod
    def open(cls, path: Path) -> LedgerReader:
        """Open a ledger to look into it; what processes that are gone may have paid counts.

        Raises:
            StorageError: It cannot be read, is damaged, or comes from another release.
        """
        db = connect_for_reading(path)
        try:
            with storing(path):
                claims.bill_lost_aside(db)
        except BaseException:
            db.close()
            raise
        return LedgerReader(path, db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def _look(self, job: Job[T]) -> T:
        """Look something up that follows from more than one row."""
        with storing(self.path):
            return job(self._reader)

    def find(self, key: str) -> Entry | None:
        """Look up how a call ended."""
        with storing(self.path):
            return calls.find(self._reader, key)

    def failed(self, entry: Entry) -> bool:
        """Whether a call gave no answer, nor a shortened request that the model had room for."""
        if entry.shortened_to is None:
            return entry.outcome != "answer"
        shorter = self.find(entry.shortened_to)
        return shorter is not None and shorter.outcome == "context_overflow"

    def call(self, key: str) -> Call | None:
        """Read back what was requested; None where that is not kept."""
        with storing(self.path):
            return calls.find_call(self._reader, key)

    def prompt(self, key: str) -> list[Message]:
        """Read back the prompt of a call; empty where it is not kept."""
        call = self.call(key)
        return [] if call is None else list(call.messages)

    def spent(self, run: str | None = None) -> Spent:
        """Add up what a run cost over all its resumes, or what all did."""
        return self._look(partial(billing.spent, run=run))

    def seconds(self, key: str) -> float | None:
        """How long the attempts of a call took together, waits between them left out."""
        return self._look(partial(billing.seconds, key=key))

    def prices(self, run: str) -> dict[str, float | None]:
        """What each call that a run used cost whoever made it last; None where it has no price."""
        return self._look(partial(billing.prices, run=run))

    def overbilled(self, run: str, *, by_tokens: bool, by_dollars: bool) -> Excess:
        """Add up what a server billed a run above its bounds, over all its resumes.

        Args:
            run: The run.
            by_tokens: Whether attempts of more tokens than were reserved count.
            by_dollars: Whether attempts that cost more than was reserved count.
        """
        job = partial(billing.overbilled, run=run, by_tokens=by_tokens, by_dollars=by_dollars)
        return self._look(job)

    def calibration(self, run: str, endpoint: str, model: str) -> float | None:
        """Largest ratio of a prompt's tokens to its estimate that a run saw of a model."""
        job = partial(billing.calibration, run=run, endpoint=endpoint, model=model)
        return self._look(job)

    def counted(self, endpoint: str, model: str, most: int) -> list[CountedAnswer]:
        """The latest answers of a model whose tokens its server counted.

        Args:
            endpoint: Its address.
            model: Its name.
            most: The most answers.
        """
        with storing(self.path):
            return billing.counted(self._reader, endpoint, model, most)

    def capabilities(self) -> dict[str, dict[str, Any]]:
        """What is known of endpoints, by their names."""
        with storing(self.path):
            return capable.read(self._reader)

    def info(self) -> Info:
        """Tell what the ledger holds."""
        return self._look(upkeep.info)
