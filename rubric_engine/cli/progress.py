"""Watching a grading that asks a model: a live block on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.cli.watched import Watched

REDRAWS_PER_SECOND = 4
_LINE_S = 30.0
_LINE_SHARE = 0.05


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
    from rubric_engine.cli.pace import clock, old, waiting_words
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
    head = f"{time.strftime('%H:%M:%S')} {watched.command} {printable(watched.name, 24)}"
    return f"{head} {watched.done}/{watched.total} {100 * watched.share:.0f}% {told}"


def _bare(dollars: str) -> str:
    """An amount as a program reads it."""
    return dollars.removeprefix("$").replace(",", "")
