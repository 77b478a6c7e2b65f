"""What endpoints were found to take, kept from run to run."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from rubric_engine.ledger.keys import canonical


def read(db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Read all, by endpoint."""
    rows = db.execute("SELECT endpoint, found FROM capabilities").fetchall()
    return {json.loads(endpoint): json.loads(found) for endpoint, found in rows}


def keep(db: sqlite3.Connection, endpoint: str, found: dict[str, Any]) -> None:
    """Keep what was found, in place of what was known."""
    row = (json.dumps(endpoint), canonical(found))
    db.execute("INSERT OR REPLACE INTO capabilities VALUES (?, ?)", row)
