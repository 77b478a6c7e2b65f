"""Prompts and answers, in and out of the tables. A text that many prompts share is kept once."""

from __future__ import annotations

import json
import sqlite3
import zlib
from datetime import UTC, datetime

from rubric_engine.ledger.keys import Call, canonical, content_hash
from rubric_engine.ledger.values import Entry
from rubric_engine.model import Message


def find(db: sqlite3.Connection, key: str) -> Entry | None:
    """Read how a call ended."""
    rows = db.execute("SELECT created, body FROM entries WHERE key = ?", (key,)).fetchall()
    if not rows:
        return None
    created, body = rows[0]
    return Entry(key=key, created=datetime.fromtimestamp(created, UTC), **json.loads(body))


def entry_row(entry: Entry) -> tuple[str, float, str]:
    """Write an entry as a row; in ASCII, since a server may send halves of characters."""
    body = canonical(entry.model_dump(exclude={"key", "created"}))
    return entry.key, entry.created.timestamp(), body


def put(db: sqlite3.Connection, row: tuple[str, float, str]) -> None:
    """Store how a call ended, in place of an older entry."""
    db.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", row)


def point(db: sqlite3.Connection, key: str, to: str) -> None:
    """Note which request took the place of one that was too long."""
    entry = find(db, key)
    if entry is not None and entry.shortened_to != to:
        put(db, entry_row(entry.model_copy(update={"shortened_to": to})))


def put_call(db: sqlite3.Connection, call: Call) -> None:
    """Store what was requested."""
    for message, (_, sha256) in zip(call.messages, call.parts, strict=True):
        _put_text(db, sha256, message.content)
    schema = None
    if call.schema is not None:
        text = canonical(call.schema)
        schema = content_hash(text)
        _put_text(db, schema, text)
    model = json.dumps(call.requested.get("name", ""))
    row = (call.key, model, canonical(call.requested), json.dumps(call.parts), schema, call.sample)
    db.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?)", row)


def find_call(db: sqlite3.Connection, key: str) -> Call | None:
    """Read what was requested."""
    rows = db.execute(
        "SELECT requested, messages, schema, sample FROM calls WHERE key = ?", (key,)
    ).fetchall()
    if not rows:
        return None
    requested, parts, schema, sample = rows[0]
    messages = [Message(role=role, content=_text(db, sha)) for role, sha in json.loads(parts)]
    return Call(
        requested=json.loads(requested),
        messages=tuple(messages),
        schema=None if schema is None else json.loads(_text(db, schema)),
        sample=sample,
    )


def _put_text(db: sqlite3.Connection, sha256: str, text: str) -> None:
    if db.execute("SELECT 1 FROM texts WHERE sha256 = ?", (sha256,)).fetchall():
        return
    content = zlib.compress(text.encode("utf-8", "surrogatepass"))
    db.execute("INSERT INTO texts VALUES (?, ?)", (sha256, content))


def _text(db: sqlite3.Connection, sha256: str) -> str:
    rows = db.execute("SELECT content FROM texts WHERE sha256 = ?", (sha256,)).fetchall()
    return zlib.decompress(rows[0][0]).decode("utf-8", "surrogatepass")
