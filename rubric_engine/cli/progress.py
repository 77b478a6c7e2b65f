"""Watching a grading that asks a model: a live block on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rubric_engine.grading import NOBODY_TRIED

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.grading import Grade, Score
    from rubric_engine.models.retry import Waiting
    from rubric_engine.rubric import Rubric

REDRAWS_PER_SECOND = 4
_LINE_S = 30.0
_LINE_SHARE = 0.05
_OLD_S = 10.0
"""Seconds after which a request that is still out is worth telling."""


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
    """

    name: str
    rubric: Rubric
    max_cost: float | None = None
    grades: dict[str, Grade] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    running: Callable[[], str] | None = None
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


def shown_if(shows: bool, watched: Watched) -> AbstractContextManager[None]:
    """Show a grading on stderr while the body runs, or show nothing."""
    return shown(watched) if shows else nullcontext()


@contextmanager
def shown(watched: Watched) -> Iterator[None]:
    """Show a grading on stderr while the body runs."""
    if on_terminal():
        from rubric_engine.cli.live import live

        with live(watched, REDRAWS_PER_SECOND):
            yield
    else:
        with _plain(watched):
            yield


def on_terminal() -> bool:
    """Whether stderr is a terminal on which lines can be drawn anew."""
    if os.environ.get("CI") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _plain(watched: Watched) -> Iterator[None]:
    """A line for every 5 %, where calls begin to wait, and every 30 s where nothing moves."""
    ended = threading.Event()
    lines = threading.Thread(target=_write_lines, args=(watched, ended), daemon=True)
    lines.start()
    try:
        yield
    finally:
        ended.set()
        lines.join()


_LOOK_S = 0.25


def _write_lines(watched: Watched, ended: threading.Event) -> None:
    from rubric_engine.cli.output import note

    share, at, told = 0.0, time.monotonic(), -math.inf
    while not ended.wait(_LOOK_S):
        now = time.monotonic()
        moved = watched.share >= share + _LINE_SHARE
        waits = watched.traffic().waiting is not None
        if moved or now - at >= _LINE_S or (waits and now - told >= _LINE_S):
            runs = watched.running if watched.is_running else None
            note(runs() if runs is not None else plain_line(watched))
            share, at = watched.share, now
            told = now if waits else told


def plain_line(watched: Watched) -> str:
    """How it stands, as words and numbers that a program can read."""
    from rubric_engine.cli.output import printable, span
    from rubric_engine.spending.dollars import show_cap, show_most

    traffic, score = watched.traffic(), watched.score()
    counts = watched.counts()
    left = watched.left(traffic)
    facts = {
        "score": span(score),
        "graded": f"{100 * score.coverage:.0f}%",
        "failed": counts.failed,
        "stopped": counts.stopped or None,
        "in_flight": traffic.in_flight,
        "oldest": clock(traffic.oldest) if old(traffic) else None,
        "replayed": traffic.replayed,
        "cost": "unpriced" if traffic.dollars is None else _bare(show_most(traffic.dollars)),
        "cap": None if watched.max_cost is None else _bare(show_cap(watched.max_cost)),
        "eta": None if left is None else clock(left),
    }
    told = " ".join(f"{name}={value}" for name, value in facts.items() if value is not None)
    if traffic.waiting is not None:
        told += f" {waiting_words(traffic.waiting, traffic.waiters)}"
    head = f"{time.strftime('%H:%M:%S')} grade {printable(watched.name, 24)}"
    return f"{head} {watched.done}/{watched.total} {100 * watched.share:.0f}% {told}"


def _bare(dollars: str) -> str:
    """An amount as a program reads it."""
    return dollars.removeprefix("$").replace(",", "")


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
