"""Calls whose tokens their server counted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from rubric_engine.ledger import calls
from rubric_engine.ledger.keys import Call
from rubric_engine.model import Usage

_LATEST = """
    SELECT key, requested FROM calls JOIN entries USING (key)
    WHERE model = ? ORDER BY created DESC LIMIT ?
"""


def measured(
    db: sqlite3.Connection, requested: Mapping[str, Any], most: int
) -> Iterator[tuple[Call, Usage]]:
    """The latest calls to a model at its endpoint, with what each used.

    Args:
        db: The ledger.
        requested: What of a model's config is part of a request.
        most: How many calls are looked at.
    """
    rows = db.execute(_LATEST, (json.dumps(requested["name"]), most)).fetchall()
    for key, as_asked in rows:
        if json.loads(as_asked)["base_url"] != requested["base_url"]:
            continue
        call, entry = calls.find_call(db, key), calls.find(db, key)
        if call is not None and entry is not None and entry.outcome == "answer" and entry.usage:
            yield call, entry.usage
