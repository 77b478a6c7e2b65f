"""The live block: four lines on stderr that are drawn anew, five while calls wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rubric_engine.cli.output import percent, printable, span
from rubric_engine.cli.pace import clock, old, waiting_words
from rubric_engine.spending.dollars import UNPRICED, show_cap, show_most

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from rubric_engine.cli.watched import Watched
    from rubric_engine.connection import Traffic

_RESCORE_S = 1.0
"""A large tree takes longer to score than a block to draw."""


@contextmanager
def live(watched: Watched, redraws_per_second: int) -> Iterator[None]:
    """Show the block while the body runs, and take it away after."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with Live(
        get_renderable=lambda: block(watched),
        console=console,
        refresh_per_second=redraws_per_second,
        transient=True,
    ):
        yield


def block(watched: Watched) -> Group:
    """The lines; the last one says what is waited for, where something is."""
    from rich.console import Group
    from rich.text import Text

    traffic = watched.traffic()
    lines = [_score_line(watched), _money_line(watched, traffic), _traffic_line(traffic)]
    if watched.running is not None and watched.is_running:
        lines.insert(0, watched.running())
    if traffic.waiting is not None:
        lines.append(waiting_words(traffic.waiting, traffic.waiters))
    texts = (Text(line, no_wrap=True, overflow="ellipsis") for line in lines)
    return Group(_bar(watched, traffic), *texts)


def _bar(watched: Watched, traffic: Traffic) -> Table:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    left = watched.left(traffic)
    ahead = "" if left is None else f"  ~{clock(left)} left"
    counts = f"{100 * watched.share:.0f}%  {watched.done:,}/{watched.total:,}"
    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(3):
        grid.add_column(no_wrap=True)
    grid.add_row(
        printable(watched.name, 16),
        ProgressBar(total=watched.total, completed=watched.done, width=24),
        f"{counts}  {clock(watched.elapsed)}{ahead}",
    )
    return grid


def _score_line(watched: Watched) -> str:
    score = watched.score(within=_RESCORE_S)
    counts = watched.counts()
    stopped = f"   stopped {counts.stopped}" if counts.stopped else ""
    opened = f"open {counts.still}   failed {counts.failed}{stopped}"
    return f"score {span(score)}, {percent(score.coverage)} graded   {opened}"


def _money_line(watched: Watched, traffic: Traffic) -> str:
    cap = "" if watched.max_cost is None else f" of {show_cap(watched.max_cost)}"
    dollars = UNPRICED if traffic.dollars is None else show_most(traffic.dollars)
    spent = f"spent {dollars}{cap}   {traffic.tokens:,} tokens"
    return f"{spent}   asked {traffic.asked:,}   replayed {traffic.replayed:,}"


def _traffic_line(traffic: Traffic) -> str:
    slowed = f", slowed from {traffic.most}" if traffic.limit < traffic.most else ""
    oldest = f", oldest {clock(traffic.oldest)}" if old(traffic) else ""
    flight = f"in flight {traffic.in_flight}/{traffic.limit}{slowed}{oldest}"
    return f"{flight}   Ctrl-C stops; what is paid is kept"
