"""The tables of a ledger, and how an older file becomes a newer one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

APPLICATION = 0x52454C47
"""Marks a SQLite file as a ledger."""


def m001_calls(db: sqlite3.Connection) -> None:
    """Prompts by content, calls, and how they ended."""
    db.execute("CREATE TABLE texts (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL)")
    db.execute(
        "CREATE TABLE calls (key TEXT PRIMARY KEY, model TEXT NOT NULL, requested TEXT NOT NULL,"
        " messages TEXT NOT NULL, schema TEXT, sample INTEGER NOT NULL)"
    )
    db.execute(
        "CREATE TABLE entries (key TEXT PRIMARY KEY, created REAL NOT NULL, body TEXT NOT NULL)"
    )


def m002_claims(db: sqlite3.Connection) -> None:
    """Who asks for what now, and what it counts if they die over it."""
    db.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, if_lost TEXT)")


def m003_runs(db: sqlite3.Connection) -> None:
    """What runs used and what they paid."""
    db.execute("CREATE TABLE runs (run TEXT PRIMARY KEY, started REAL NOT NULL)")
    db.execute(
        "CREATE TABLE run_calls (run TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (run, key))"
        " WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE attempts (id INTEGER PRIMARY KEY, run TEXT NOT NULL, key TEXT NOT NULL,"
        " input_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,"
        " output_tokens INTEGER NOT NULL, counted INTEGER NOT NULL, dollars REAL,"
        " body TEXT NOT NULL)"
    )


def m004_capabilities(db: sqlite3.Connection) -> None:
    """What endpoints were found to take."""
    db.execute("CREATE TABLE capabilities (endpoint TEXT PRIMARY KEY, found TEXT NOT NULL)")


MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (
    m001_calls,
    m002_claims,
    m003_runs,
    m004_capabilities,
)
"""In order, each applied once; a release only ever adds to their end."""


def version(db: sqlite3.Connection) -> int:
    """How many migrations a file has seen."""
    return int(db.execute("PRAGMA user_version").fetchall()[0][0])


def is_foreign(db: sqlite3.Connection) -> bool:
    """Tell whether the file is another program's."""
    # One statement sees one moment: another process may be making the file.
    mark, tables = db.execute(
        "SELECT (SELECT application_id FROM pragma_application_id),"
        " (SELECT count(*) FROM sqlite_master)"
    ).fetchall()[0]
    return mark != APPLICATION and bool(mark or tables)


def migrate(db: sqlite3.Connection) -> None:
    """Bring a file up to date, within the caller's transaction."""
    for number, step in enumerate(MIGRATIONS[version(db) :], start=version(db) + 1):
        step(db)
        db.execute(f"PRAGMA user_version = {number}")
    db.execute(f"PRAGMA application_id = {APPLICATION}")
