"""What attempts cost, and which of them belong to the call that is being made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.ledger.keys import canonical
from rubric_engine.ledger.values import BilledAttempt, CountedAnswer, Spent
from rubric_engine.model import Usage
from rubric_engine.reserved import Excess

_SPENT = """
    SELECT count(DISTINCT nullif(key, '')), count(*), total(input_tokens), total(cached_tokens),
        total(output_tokens), total(dollars), count(*) - count(dollars), total(NOT counted),
        total((input_tokens + output_tokens) * NOT counted), total(dollars * NOT counted)
    FROM attempts WHERE :run IS NULL OR run = :run
"""

_OVERBILLED = """
    SELECT count(*), total(tokens), sum(dollars) FROM (
        SELECT max(0, input_tokens + output_tokens - json_extract(body, '$.bound.input_tokens')
                - json_extract(body, '$.bound.output_tokens')) AS tokens,
            max(0, dollars - json_extract(body, '$.bound_dollars')) AS dollars
        FROM attempts WHERE run = :run AND counted
    ) WHERE (:by_tokens AND tokens > 0) OR (:by_dollars AND dollars > 1e-12)
"""

_CALIBRATION = """
    SELECT max(1.0 * input_tokens / json_extract(body, '$.estimate')) FROM attempts
    WHERE run = ? AND counted AND input_tokens > 0 AND json_extract(body, '$.estimate') > 0
        AND json_extract(body, '$.endpoint') = ? AND json_extract(body, '$.model') = ?
"""

_COUNTED = """
    SELECT json_extract(body, '$.estimate'), input_tokens, output_tokens FROM attempts
    WHERE counted AND input_tokens > 0 AND json_extract(body, '$.fault') = ''
        AND json_extract(body, '$.estimate') > 0
        AND json_extract(body, '$.endpoint') = ? AND json_extract(body, '$.model') = ?
    ORDER BY id DESC LIMIT ?
"""

_SECONDS = """
    SELECT total(json_extract(body, '$.seconds')), count(*) FROM attempts
    WHERE key = :key
        AND run = (SELECT run FROM attempts WHERE key = :key ORDER BY id DESC LIMIT 1)
"""

_PRICES = """
    SELECT attempts.key, total(dollars), count(*) - count(dollars)
    FROM attempts JOIN run_calls ON run_calls.run = ? AND run_calls.key = attempts.key
    GROUP BY attempts.key, attempts.run ORDER BY max(id)
"""

_SHARES = """
    SELECT entries.key, total(dollars) / json_extract(entries.body, '$.shared_by'),
        count(*) - count(dollars)
    FROM run_calls JOIN entries USING (key)
        JOIN attempts ON attempts.key = json_extract(entries.body, '$.request')
    WHERE run_calls.run = ? AND json_extract(entries.body, '$.request') != ''
    GROUP BY entries.key, attempts.run ORDER BY max(id)
"""

_MOST = 2**53  # a server may claim any number, SQLite keeps 64 bits


@dataclass
class Asking:
    """The call that the current task makes.

    Attributes:
        key: Its key.
        effective: Parameters of its latest attempt.
    """

    key: str
    effective: dict[str, Any] = field(default_factory=dict)


_asking: ContextVar[Asking | None] = ContextVar("asking", default=None)


@contextmanager
def asking(key: str) -> Iterator[Asking]:
    """Let the attempts made inside belong to a key."""
    call = Asking(key)
    token = _asking.set(call)
    try:
        yield call
    finally:
        _asking.reset(token)


def attributed(attempt: BilledAttempt) -> BilledAttempt:
    """Give an attempt the key of the call that the current task makes."""
    call = _asking.get()
    if call is None or attempt.key:
        return attempt
    call.effective = attempt.effective
    return attempt.model_copy(update={"key": call.key})


Row = tuple[str, str, int, int, int, bool, float | None, str]


def attempt_row(attempt: BilledAttempt) -> Row:
    """Write an attempt as a row; without usage it counts at its bound."""
    usage = attempt.usage or attempt.bound or Usage()
    return (
        attempt.run,
        attempt.key,
        min(usage.input_tokens, _MOST),
        min(usage.cached_tokens, _MOST),
        min(usage.output_tokens, _MOST),
        attempt.usage is not None,
        attempt.dollars,
        attempt_text(attempt),
    )


def attempt_text(attempt: BilledAttempt) -> str:
    """Write an attempt as JSON."""
    return canonical(attempt.model_dump() | {"started": attempt.started.isoformat()})


def bill(db: sqlite3.Connection, row: Row) -> None:
    """Store what an attempt cost; from here on its claim has nothing to lose."""
    db.execute("UPDATE claims SET if_lost = NULL WHERE key = ?", (row[1],))
    db.execute(
        "INSERT INTO attempts (run, key, input_tokens, cached_tokens, output_tokens, counted,"
        " dollars, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )


def seconds(db: sqlite3.Connection, key: str) -> float | None:
    """How long the attempts of a call took together; None where none is known.

    Args:
        db: The ledger.
        key: The call; where several runs made it, the last one counts.
    """
    total, attempts = db.execute(_SECONDS, {"key": key}).fetchone()
    return float(total) if attempts else None


def spent(db: sqlite3.Connection, run: str | None) -> Spent:
    """Add up what a run's attempts cost, or everybody's."""
    row = db.execute(_SPENT, {"run": run}).fetchall()[0]
    calls, attempts, input_tokens, cached_tokens, output_tokens, dollars, unpriced, *blind = row
    usage = Usage(
        input_tokens=int(input_tokens),
        cached_tokens=int(cached_tokens),
        output_tokens=int(output_tokens),
    )
    uncounted, blind_tokens, blind_dollars = blind
    return Spent(
        calls, attempts, usage, dollars, unpriced, int(uncounted), int(blind_tokens), blind_dollars
    )


def prices(db: sqlite3.Connection, run: str) -> dict[str, float | None]:
    """What each call that a run used cost whoever made it last; None where an attempt has no price.

    A replayed call has its price as well: it tells what a judge costs, not what a run paid. Calls
    that shared a request share what that cost.
    """
    rows = [row for found in (_PRICES, _SHARES) for row in db.execute(found, (run,)).fetchall()]
    return {key: None if unpriced else dollars for key, dollars, unpriced in rows}


def overbilled(db: sqlite3.Connection, run: str, *, by_tokens: bool, by_dollars: bool) -> Excess:
    """Add up what a server billed a run above what was reserved."""
    given = {"run": run, "by_tokens": by_tokens, "by_dollars": by_dollars}
    attempts, tokens, dollars = db.execute(_OVERBILLED, given).fetchall()[0]
    return Excess(attempts, int(tokens), dollars)


def calibration(db: sqlite3.Connection, run: str, endpoint: str, model: str) -> float | None:
    """Largest ratio of a prompt's tokens to its estimate in a run; None before any was counted."""
    ratio: float | None = db.execute(_CALIBRATION, (run, endpoint, model)).fetchall()[0][0]
    return ratio


def counted(db: sqlite3.Connection, endpoint: str, model: str, most: int) -> list[CountedAnswer]:
    """The latest answers of a model whose tokens its server counted."""
    rows = db.execute(_COUNTED, (endpoint, model, most)).fetchall()
    return [
        CountedAnswer(estimate, Usage(input_tokens=read, output_tokens=written))
        for estimate, read, written in rows
    ]
