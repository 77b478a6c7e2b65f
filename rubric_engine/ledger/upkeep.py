"""Sizes, run references, and what no run needs any more."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Set
from datetime import UTC, datetime, timedelta

from rubric_engine.ledger.values import Info, Pruned

_UNUSED_TEXTS = """
    DELETE FROM texts WHERE sha256 NOT IN (
        SELECT json_extract(part.value, '$[1]') FROM calls, json_each(calls.messages) AS part
        UNION SELECT schema FROM calls WHERE schema IS NOT NULL
    )
"""


def info(db: sqlite3.Connection) -> Info:
    """Tell what a ledger holds."""
    entries, oldest = db.execute("SELECT count(*), min(created) FROM entries").fetchall()[0]
    texts = db.execute("SELECT count(*) FROM texts").fetchall()[0][0]
    models = db.execute(
        "SELECT coalesce(model, '\"\"'), count(*) FROM entries LEFT JOIN calls USING (key)"
        " GROUP BY 1 ORDER BY 1"
    ).fetchall()
    return Info(
        entries=entries,
        texts=texts,
        bytes=size(db),
        oldest=None if oldest is None else datetime.fromtimestamp(oldest, UTC),
        by_model={json.loads(model): count for model, count in models},
    )


def size(db: sqlite3.Connection) -> int:
    """Bytes of the file."""
    pages, page = (
        int(db.execute(f"PRAGMA {what}").fetchall()[0][0]) for what in ("page_count", "page_size")
    )
    return pages * page


def start_run(db: sqlite3.Connection, run: str) -> datetime:
    """Note that a run begins; a run that was begun before keeps its time."""
    now = datetime.now(UTC).timestamp()
    db.execute("INSERT OR IGNORE INTO runs VALUES (?, ?)", (run, now))
    rows = db.execute("SELECT started FROM runs WHERE run = ?", (run,)).fetchall()
    return datetime.fromtimestamp(rows[0][0], UTC)


def refer(db: sqlite3.Connection, run: str, key: str) -> None:
    """Note that a run used a call."""
    db.execute("INSERT OR IGNORE INTO run_calls VALUES (?, ?)", (run, key))


def begin_run(db: sqlite3.Connection, run: str, is_kept: Callable[[], bool]) -> None:
    """Let a run begin with nothing spent, unless it is kept and so has begun before."""
    if not is_kept():
        forget_run(db, run)


def forget_run(db: sqlite3.Connection, run: str) -> None:
    """Drop a run's references; what it paid stays on record, under a name that no run has."""
    db.execute("UPDATE attempts SET run = ? WHERE run = ?", (f"removed/{run}", run))
    db.execute("DELETE FROM run_calls WHERE run = ?", (run,))
    db.execute("DELETE FROM runs WHERE run = ?", (run,))


def prune(
    db: sqlite3.Connection, older_than: timedelta | None, keep_runs: Callable[[], Set[str]]
) -> Pruned:
    """Remove entries that are old enough and that no run to keep refers to.

    What endpoints were found to take goes, too: servers change, and it is learnt anew for nothing.
    """
    db.execute("DELETE FROM capabilities")
    before = size(db)
    latest = (datetime.now(UTC) - (older_than or timedelta())).timestamp()
    entries = db.execute(
        "DELETE FROM entries WHERE created <= ? AND key NOT IN"
        " (SELECT key FROM run_calls WHERE run IN (SELECT value FROM json_each(?)))",
        (latest, json.dumps(sorted(keep_runs()))),
    ).rowcount
    db.execute("DELETE FROM calls WHERE key NOT IN (SELECT key FROM entries)")
    db.execute("DELETE FROM run_calls WHERE key NOT IN (SELECT key FROM entries)")
    texts = db.execute(_UNUSED_TEXTS).rowcount
    _shrink(db)
    return Pruned(entries, texts, max(0, before - size(db)))


def _shrink(db: sqlite3.Connection) -> None:
    # The sqlite3 module takes one step of this statement, and each step frees one page.
    for _ in range(db.execute("PRAGMA freelist_count").fetchall()[0][0]):
        db.execute("PRAGMA incremental_vacuum")
