"""The ending of a run from what is known of its container."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rubric_engine.isolation import ExecutionStatus
from rubric_engine.sandbox.docker.ending import Ended, Stopped, ran_s


def ended(
    exit_code: int, *, oom: bool = False, stopped: Stopped | None = None, duration: float = 1.0
) -> Ended:
    return Ended(exit_code, oom, stopped, datetime.now(UTC), duration, time_s=10.0)


@pytest.mark.parametrize(
    ("end", "status", "signal"),
    [
        (ended(0), "ok", None),
        (ended(0, oom=True), "ok", None),
        (ended(3), "failed", None),
        (ended(1, oom=True), "failed", None),
        (ended(137, oom=True), "oom", 9),
        (ended(137), "killed", 9),
        (ended(143), "killed", 15),
        (ended(139), "failed", 11),
        (ended(153), "disk_full", 25),
        (ended(255), "failed", None),
        (ended(124), "failed", None),
        (ended(124, duration=70.0), "timeout", None),
        (ended(137, duration=70.0), "timeout", 9),
        (ended(137, oom=True, duration=70.0), "oom", 9),
        (ended(137, stopped="timeout"), "timeout", 9),
        (ended(137, oom=True, stopped="timeout"), "timeout", 9),
        (ended(0, stopped="timeout"), "timeout", None),
        (ended(137, stopped="disk_full"), "disk_full", 9),
        (ended(137, stopped="cancelled"), "cancelled", 9),
    ],
)
def test_endings(end: Ended, status: ExecutionStatus, signal: int | None) -> None:
    assert (end.status, end.signal) == (status, signal)


SEVEN = {"StartedAt": "2026-01-01T00:00:00.5Z", "FinishedAt": "2026-01-01T00:00:07.5Z"}


@pytest.mark.parametrize(
    ("state", "watched", "ran"),
    [
        (SEVEN, 9.0, 9.0),
        (SEVEN, 99.0, 7.0),
        ({"StartedAt": "2026-01-01T00:00:00.123456789Z", "FinishedAt": "0001-01-01T00:00:00Z"},
         99.0, 0.0),
        ({"StartedAt": "2026-01-01T00:00:00Z", "FinishedAt": "2026-01-01T01:00:00Z"}, 99.0, 99.0),
        ({"StartedAt": "soon"}, 99.0, 99.0),
    ],
)  # fmt: skip
def test_a_host_that_slept_past_the_deadline_believes_the_engine(
    state: dict[str, str], watched: float, ran: float
) -> None:
    assert ran_s(state, watched, 10.0) == ran
