"""A long log in little room: its tail, its head, and every distinct kind of line between.

Two lines are of one kind if they differ in numbers, hashes, times and paths only. The tail comes
first in the budget, since a run's results stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rubric_engine.evidence.excerpt import Cut, Excerpt
from rubric_engine.evidence.lines import numbered, shorten, split
from rubric_engine.evidence.room import Room

LOG_NAME = "reproduce.log"

_TAIL_SHARE = 0.4
_HEAD_SHARE = 0.15
_MARK = "[lines 1000000-1000000 left out]\n"

_VARIABLE = re.compile(
    r"(?:[\w.~-]*/)+[\w.-]*|\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b|\d+(?:[.,:]\d+)*"
)
_RESULT = re.compile(
    r"acc|auc|bleu|error|f1|final|best|loss|mean|metric|precision|recall|result|reward|rmse|mae"
    r"|mse|score|test|traceback|val|warn",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


def show_log(log: str, room: Room, limit: int) -> Excerpt | None:
    """Show a log.

    Args:
        log: The log.
        room: Measures the text.
        limit: The most size it may take.

    Returns:
        The whole log where it fits, else chosen lines; None where there is none, or no room.
    """
    lines = split(log)
    header = f"### {LOG_NAME} (log of the run, {len(lines)} lines)\n"
    short = [shorten(line) for line in lines]
    everything = _excerpt(header, short, range(1, len(lines) + 1), room)
    if not lines or everything.size <= limit:
        return everything if lines else None
    keep = _choose(short, room, limit - room.size(header) - room.size(_MARK))
    return _excerpt(header, short, sorted(keep), room) if keep else None


def kind(line: str) -> str:
    """What lines of one kind have in common.

    >>> kind("epoch 3 loss 0.25 -> out/run_3.pt") == kind("epoch 4 loss 0.2 -> out/run_4.pt")
    True
    """
    return _VARIABLE.sub("#", line)


def _choose(lines: list[str], room: Room, limit: int) -> set[int]:
    """Numbers of the lines that are kept."""
    keep: set[int] = set()
    costs = _Costs(lines, room)
    count = len(lines)
    left = limit
    for numbers, share in (
        (iter(range(count, 0, -1)), _TAIL_SHARE),
        (iter(range(1, count + 1)), _HEAD_SHARE),
    ):
        floor = left - int(limit * share)
        for number in numbers:
            cost = costs.of(number, keep)
            if number in keep or left - cost < floor:
                break
            keep.add(number)
            left -= cost
    for number in _between(lines):
        cost = costs.of(number, keep)
        if number not in keep and cost <= left:
            keep.add(number)
            left -= cost
        if left < costs.mark:
            break
    return keep


class _Costs:
    """What a line takes of the room, a mark of left-out lines beside it counted in."""

    def __init__(self, lines: list[str], room: Room) -> None:
        self._lines = lines
        self._room = room
        self.mark = room.size(_MARK)

    def of(self, number: int, keep: set[int]) -> int:
        alone = number - 1 not in keep and number + 1 not in keep
        text = f"{number}|{self._lines[number - 1]}\n"
        return self._room.size(text) + (self.mark if alone else 0)


def _between(lines: list[str]) -> Iterator[int]:
    """Line numbers by how much they tell: first and last of each kind, then numbers of results."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            name = kind(line)
            first.setdefault(name, number)
            last[name] = number
    yield from first.values()
    yield from sorted(last.values(), reverse=True)
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if _DIGIT.search(line) and _RESULT.search(line):
            yield number


def _excerpt(header: str, lines: list[str], numbers: range | list[int], room: Room) -> Excerpt:
    text = header + numbered(lines, numbers)
    edges = [0, *numbers, len(lines) + 1]
    cuts = tuple(
        Cut("lines like those shown are left out, for want of room", (before + 1, after - 1))
        for before, after in pairwise(edges)
        if after - before > 1
    )
    return Excerpt(LOG_NAME, text, room.size(text), cuts)
