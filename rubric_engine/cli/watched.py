"""What is known of a grading while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rubric_engine.grading import NOBODY_TRIED

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.grading import Grade, Score
    from rubric_engine.rubric import Rubric


_STOPPED = frozenset({"budget", "cancelled"})


class Counts(NamedTuple):
    """How many leaves are open.

    Attributes:
        still: Those that nobody tried.
        failed: Those that a judge tried and could not grade.
        stopped: Those that a cap or a person kept from it; a resume goes on with them.
    """

    still: int
    failed: int
    stopped: int


@dataclass
class Watched:
    """What is known of a grading while it goes on.

    Attributes:
        name: Name of the task.
        rubric: What is graded.
        max_cost: Cap in dollars, or None.
        grades: Grades so far, by key.
        started: When it began, by the monotonic clock.
        running: Tells how the run of `reproduce.sh` goes on, where there is one.
        command: What goes on, as lines of progress name it.
    """

    name: str
    rubric: Rubric
    max_cost: float | None = None
    grades: dict[str, Grade] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    running: Callable[[], str] | None = None
    command: str = "grade"
    _traffic: Callable[[], Traffic] | None = None
    _score: Score | None = None
    _scored: float = 0.0
    _judging: bool = False
    _asking_since: float | None = None

    def __post_init__(self) -> None:
        self._leaves = len(self.rubric.leaves())

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Take what tells the traffic; for `Spending.watch`."""
        self._traffic = traffic

    def on_grade(self, key: str, grade: Grade) -> None:
        """Take a grade; for `grade`."""
        self.grades[key] = grade
        self._judging = True

    def traffic(self) -> Traffic:
        """What goes on now."""
        from rubric_engine.connection import Traffic

        traffic = Traffic() if self._traffic is None else self._traffic()
        if self._asking_since is None and traffic.in_flight:
            # What a run of reproduce.sh took says nothing of the pace of answers.
            self._asking_since = self.started if self.running is None else time.monotonic()
        return traffic

    def score(self, *, within: float = 0.0) -> Score:
        """The score so far, computed anew where the last is more than `within` seconds old."""
        from rubric_engine.scoring import propagate

        now = time.monotonic()
        if self._score is None or now - self._scored >= within:
            # The judging goes on in another thread; a copy holds still.
            self._score = propagate(self.rubric, dict(self.grades))[self.rubric.root]
            self._scored = now
        return self._score

    @property
    def is_running(self) -> bool:
        """Whether `reproduce.sh` runs, as far as can be told: nothing is judged before it ends."""
        begun = self._judging or self._asking_since is not None
        return self.running is not None and not begun

    @property
    def done(self) -> int:
        """Leaves that have been dealt with; one that nobody is to grade is no work."""
        return len(self.grades) - self._unasked

    @property
    def total(self) -> int:
        """Leaves that somebody is to grade, as far as it is known by now."""
        return self._leaves - self._unasked

    @property
    def _unasked(self) -> int:
        return sum(grade.reason in NOBODY_TRIED for grade in list(self.grades.values()))

    @property
    def share(self) -> float:
        """Share of the work that is done, 0..1."""
        return self.done / self.total if self.total else 1.0

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.started

    def left(self, traffic: Traffic) -> float | None:
        """Seconds left at the pace so far; None before the first answer."""
        taken = time.monotonic() - (
            self.started if self._asking_since is None else self._asking_since
        )
        pace = traffic.asked / taken if taken else 0.0
        return (self.total - self.done) / pace if pace else None

    def counts(self) -> Counts:
        """Leaves that are open, by why they are."""
        grades = list(self.grades.values())
        stopped = sum(grade.reason in _STOPPED for grade in grades)
        failed = sum(grade.failed for grade in grades) - stopped
        every = sum(grade.status == "ungradeable" for grade in grades)
        return Counts(every - failed - stopped, failed, stopped)
