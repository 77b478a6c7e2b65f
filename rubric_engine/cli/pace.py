"""How long things take and are waited for, in words."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.models.retry import Waiting

_OLD_S = 10.0
"""Seconds after which a request that is still out is worth telling."""


def waiting_words(waiting: Waiting, waiters: int) -> str:
    """What is waited for: `waiting 8 s: HTTP 500 from http://localhost/v1, attempt 4`."""
    from rubric_engine.cli.output import printable

    left = max(0, math.ceil(waiting.until - time.monotonic()))
    who = "waiting" if waiters == 1 else f"{waiters} calls wait, one for"
    where = printable(waiting.endpoint, 40)
    return f"{who} {left} s: {waiting.why} from {where}, attempt {waiting.attempt}"


def old(traffic: Traffic) -> bool:
    """Whether a request has been out for so long that it is worth telling."""
    return traffic.oldest >= _OLD_S


def clock(seconds: float) -> str:
    """Seconds as 0:07, 12:40 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
