"""Who may start next: the leader of each prefix first, the others behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_SPREAD = 0.618
"""Multiples of the golden ratio, their whole parts left out, are spread evenly over 0 to 1."""


class Queued(Protocol):
    """What waits in a line."""

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
class _Queue(Generic[T]):
    """What waits with one prefix."""

    after: str | None
    jobs: deque[T] = field(default_factory=deque)
    led: bool = False
    leading: bool = False
    scouts: int = 0


class Line(Generic[T]):
    """Jobs that wait, by prefix.

    Args:
        jobs: In the order in which they should start.
    """

    def __init__(self, jobs: Iterable[T]) -> None:
        self._queues: dict[str, _Queue[T]] = {}
        for job in jobs:
            self._queues.setdefault(job.prefix, _Queue(job.after)).jobs.append(job)

    def next(self) -> T | None:
        """The next job that may start; None where all wait for a leader, or none is left."""
        follower = None
        for queue in self._queues.values():
            if not queue.jobs:
                continue
            if queue.led:
                follower = follower or queue
            elif not queue.leading and self._may_lead(queue):
                queue.leading = True
                return queue.jobs.popleft()
        return follower.jobs.popleft() if follower is not None else None

    def scout(self) -> T | None:
        """A job from where the fewest scouts came from; None where none is left."""
        waiting = [queue for queue in self._queues.values() if queue.jobs]
        if not waiting:
            return None
        queue = min(waiting, key=lambda queue: queue.scouts)
        queue.scouts += 1
        at = int(len(queue.jobs) * (queue.scouts * _SPREAD % 1))
        job = queue.jobs[at]
        del queue.jobs[at]
        return job

    def _may_lead(self, queue: _Queue[T]) -> bool:
        before = self._queues.get(queue.after or "")
        # A prefix that has nothing left to grade, as after a resume, has no leader to wait for.
        return before is None or before is queue or before.led

    def ended(self, job: T) -> None:
        """A call has ended: the others of its prefix may follow."""
        self._queues[job.prefix].led = True

    def again(self, job: T) -> None:
        """A job did not run after all and is the next of its prefix."""
        queue = self._queues[job.prefix]
        queue.leading = False
        queue.jobs.appendleft(job)

    def rest(self) -> list[T]:
        """The jobs that never ran."""
        return [job for queue in self._queues.values() for job in queue.jobs]
