"""Who may start next: the first of a shared prefix goes ahead of the others.

So the provider has the prefix cached when they come. A prefix that extends another waits for that
one's leader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


class Prefixed(Protocol):
    """What stands in line."""

    @property
    def prefix(self) -> str:
        """Name of what it shares with others."""
        ...

    @property
    def after(self) -> str | None:
        """The prefix whose leader goes before this one's, or None."""
        ...


J = TypeVar("J", bound=Prefixed)


@dataclass
class _Queue(Generic[J]):
    """Jobs of one prefix."""

    after: str | None
    jobs: deque[J] = field(default_factory=deque)
    led: bool = False
    leading: bool = False


class Line(Generic[J]):
    """Jobs that wait.

    Args:
        jobs: In the order in which they should start.
    """

    def __init__(self, jobs: Iterable[J]) -> None:
        self._queues: dict[str, _Queue[J]] = {}
        for job in jobs:
            self._queues.setdefault(job.prefix, _Queue(job.after)).jobs.append(job)

    def next(self) -> J | None:
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

    def _may_lead(self, queue: _Queue[J]) -> bool:
        before = self._queues.get(queue.after or "")
        # A prefix that has nothing left to grade, as after a resume, has no leader to wait for.
        return before is None or before is queue or before.led

    def ended(self, job: J) -> None:
        """A call has ended: the others of its prefix may follow."""
        self._queues[job.prefix].led = True

    def again(self, job: J) -> None:
        """A job did not run after all and is the next of its prefix."""
        queue = self._queues[job.prefix]
        queue.leading = False
        queue.jobs.appendleft(job)

    def rest(self) -> list[J]:
        """The jobs that never ran."""
        return [job for queue in self._queues.values() for job in queue.jobs]
