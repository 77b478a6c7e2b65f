"""Who may start next: the leader of each prefix first, the others behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_SPREAD = 0.618
"""Multiples of the golden ratio, their whole parts left out, are spread evenly over 0 to 1."""


class Queued(Protocol):
    """What waits in a queue."""

    @property
    def prefix(self) -> str:
        """Name of what it shares with others."""
        ...

    @property
    def after(self) -> str | None:
        """The prefix whose leader goes before this one's, or None."""
        ...


T = TypeVar("T", bound=Queued)


@dataclass
class _Prefix(Generic[T]):
    """What waits with one prefix."""

    after: str | None
    jobs: deque[T] = field(default_factory=deque)
    led: bool = False
    leading: bool = False
    scouts: int = 0


class JobQueue(Generic[T]):
    """Jobs that wait, by prefix.

    Args:
        jobs: In the order in which they should start.
    """

    def __init__(self, jobs: Iterable[T]) -> None:
        self._by_prefix: dict[str, _Prefix[T]] = {}
        for job in jobs:
            self._by_prefix.setdefault(job.prefix, _Prefix(job.after)).jobs.append(job)

    def next(self) -> T | None:
        """The next job that may start; None where all wait for a leader, or none is left."""
        follower = None
        for prefix in self._by_prefix.values():
            if not prefix.jobs:
                continue
            if prefix.led:
                follower = follower or prefix
            elif not prefix.leading and self._may_lead(prefix):
                prefix.leading = True
                return prefix.jobs.popleft()
        return follower.jobs.popleft() if follower is not None else None

    def scout(self) -> T | None:
        """A job from where the fewest scouts came from; None where none is left."""
        waiting = [prefix for prefix in self._by_prefix.values() if prefix.jobs]
        if not waiting:
            return None
        prefix = min(waiting, key=lambda prefix: prefix.scouts)
        prefix.scouts += 1
        at = int(len(prefix.jobs) * (prefix.scouts * _SPREAD % 1))
        job = prefix.jobs[at]
        del prefix.jobs[at]
        return job

    def _may_lead(self, prefix: _Prefix[T]) -> bool:
        before = self._by_prefix.get(prefix.after or "")
        # A prefix that has nothing left to grade, as after a resume, has no leader to wait for.
        return before is None or before is prefix or before.led

    def ended(self, job: T) -> None:
        """A call has ended: the others of its prefix may follow."""
        self._by_prefix[job.prefix].led = True

    def again(self, job: T) -> None:
        """A job did not run after all and is the next of its prefix."""
        prefix = self._by_prefix[job.prefix]
        prefix.leading = False
        prefix.jobs.appendleft(job)

    def rest(self) -> list[T]:
        """The jobs that never ran."""
        return [job for prefix in self._by_prefix.values() for job in prefix.jobs]
