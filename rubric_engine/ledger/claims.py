"""One process at a time for each key: claims, and what becomes of a dead process's."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence

from rubric_engine.ledger import billing, calls, upkeep
from rubric_engine.ledger.process import lives
from rubric_engine.ledger.values import BilledAttempt, Claim, Entry

Accept = Callable[[Entry], bool]
"""Tells whether an entry serves, or the call must be made anew."""


def take(
    db: sqlite3.Connection,
    key: str,
    owner: str,
    accept: Accept,
    run: str | None,
) -> Entry | Claim | None:
    """Find a key's entry or claim the key; an entry that serves is one that the run refers to.

    Returns:
        The entry, the claim, or None where another living process holds it.
    """
    entry = calls.find(db, key)
    if entry is not None and accept(entry):
        if run is not None:
            upkeep.refer(db, run, key)
        return entry
    holder = held_by(db, key)
    if holder is not None:
        if lives(holder):
            return None
        void(db, key)
    db.execute("INSERT INTO claims VALUES (?, ?, NULL)", (key, owner))
    return Claim(key)


def take_all(
    db: sqlite3.Connection, keys: Sequence[str], owner: str, accept: Accept, run: str | None
) -> dict[str, Entry | Claim] | str:
    """Find or claim several keys at once: all of them, or none.

    Returns:
        By key its entry or claim; or a key that another living process holds.
    """
    for key in keys:
        holder = held_by(db, key)
        if holder is not None and lives(holder) and not _serves(db, key, accept):
            return key
    taken = {key: take(db, key, owner, accept, run) for key in keys}
    return {key: found for key, found in taken.items() if found is not None}


def _serves(db: sqlite3.Connection, key: str, accept: Accept) -> bool:
    entry = calls.find(db, key)
    return entry is not None and accept(entry)


def expect(db: sqlite3.Connection, key: str, if_lost: str) -> None:
    """Note with an own claim what its request counts if it is lost."""
    db.execute("UPDATE claims SET if_lost = ? WHERE key = ?", (if_lost, key))


def held_by(db: sqlite3.Connection, key: str) -> str | None:
    """Owner of the claim of a key."""
    rows = db.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchall()
    return rows[0][0] if rows else None


def drop(db: sqlite3.Connection, key: str, owner: str) -> None:
    """End an own claim."""
    db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, owner))


def void(db: sqlite3.Connection, key: str) -> None:
    """End a dead owner's claim; the request that it may have sent is billed at its bound."""
    for (lost,) in db.execute("SELECT if_lost FROM claims WHERE key = ?", (key,)).fetchall():
        if lost is not None:
            attempt = BilledAttempt.model_validate(json.loads(lost) | {"fault": "lost"})
            billing.bill(db, billing.attempt_row(attempt))
    db.execute("DELETE FROM claims WHERE key = ?", (key,))


def void_dead(db: sqlite3.Connection) -> None:
    """End the claims of every process that is gone."""
    for owner in _dead(db):
        keys = db.execute("SELECT key FROM claims WHERE owner = ?", (owner,)).fetchall()
        for (key,) in keys:
            void(db, key)


def bill_lost_aside(db: sqlite3.Connection) -> None:
    """Do the same for this connection's eyes only, in copies that take the tables' place."""
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute("BEGIN")  # else another process may bill them between the two copies
    if _dead(db):
        db.execute("CREATE TEMP TABLE attempts AS SELECT * FROM main.attempts")
        db.execute("CREATE TEMP TABLE claims AS SELECT * FROM main.claims")
        void_dead(db)
    db.execute("COMMIT")


def _dead(db: sqlite3.Connection) -> list[str]:
    owners = db.execute("SELECT DISTINCT owner FROM claims").fetchall()
    return [owner for (owner,) in owners if not lives(owner)]
