"""Reading the log of an agent, of whatever form: which commands it says were run, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rubric_engine.monitor.agent_log.events import Found, said_in, steps_in
from rubric_engine.monitor.agent_log.prose import steps_of_prose
from rubric_engine.monitor.agent_log.step import Step

_PIECE = 20_000
"""Lines that are read at once."""

_MOST_MISSED = 100
"""Steps of a document whose text is looked for in vain, in one way of writing it."""

_WORTH = ('"arguments"', '"args"', '"input"', '"command"', '"cmd"', '"code"', '"action"', '"role"')


@dataclass(frozen=True)
class Told:
    """What a log tells of commands.

    Attributes:
        steps: What was run, in the log's order.
        forms: The forms in which the log told it; none where no command can be told apart.
    """

    steps: tuple[Step, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms in which the log told it; none where no command can be told apart."""
        return tuple(sorted({step.form for step in self.steps}))


def told(text: str) -> Told:
    """The commands in a log, all at once."""
    return Told(tuple(steps_of(text)))


def steps_of(text: str) -> Iterator[Step]:
    """The commands in a log: one JSON document, a JSON value a line, or text, or both mixed.

    They come one after another, so that a log of millions of commands needs no room for them.
    """
    whole = _whole(text)
    if whole is not None:
        yield from _placed(whole, text)
        return
    for first, lines in _pieces(text):
        yield from _mixed(lines, first)


def _whole(text: str) -> Any:
    start = text[:100].lstrip("\ufeff \t\r\n")
    if not start.startswith(("{", "[{", "[\n", "[ ", "[\r")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _placed(value: Any, text: str) -> Iterator[Step]:
    """The steps of a document, each with the line where its text stands.

    A text that is written in another way is not found, and is looked for to the document's end:
    after `_MOST_MISSED` such searches it is looked for in that way no more, and the last line
    that is known stands for what is not found.
    """
    at, line, missed = 0, 1, [0, 0]
    for kind, code, path in _steps(value):
        head = json.dumps(code[:60], ensure_ascii=False)[1:-1]
        found = -1
        for form, said in enumerate((head, json.dumps(head)[1:-1])):  # or in a string of JSON
            if found < 0 and missed[form] < _MOST_MISSED:
                found = text.find(said, at)
                missed[form] += found < 0
        if found >= 0:
            line += text.count("\n", at, found)
            at = found
        yield Step(kind, code, line, "json", path)


def _steps(value: Any) -> Iterator[Found]:
    called = list(steps_in(value))
    yield from called
    if not called:  # an agent without tools runs the blocks that it writes
        for said in said_in(value):
            lines = ["assistant:", *said.split("\n")]
            for step in steps_of_prose(lines):
                if step.form in ("fenced", "tag", "label"):
                    yield Found(step.kind, step.code)


def _pieces(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a text, some thousand at a time, with the number of the first."""
    at, number = 0, 1
    while at < len(text):
        end = min(at + 80 * _PIECE, len(text))
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        lines = text[at:stop].split("\n")
        yield number, [line.removesuffix("\r") for line in lines]
        number += len(lines)
        at = stop + 1


def _mixed(lines: list[str], first: int) -> list[Step]:
    """The steps of lines of which some hold JSON."""
    steps: list[Step] = []
    prose = list(lines)
    for place, line in enumerate(lines):
        value = _in_line(line)
        if value is not None:
            prose[place] = ""
            steps += (
                Step(kind, code, first + place, "json", path) for kind, code, path in _steps(value)
            )
    steps += steps_of_prose(prose, first)
    return sorted(steps, key=lambda step: step.line)


def _in_line(line: str) -> Any:
    """The JSON object that a line is, or that stands behind its time and level."""
    at = line.find("{", 0, 200)
    if at < 0 or not any(word in line for word in _WORTH):
        return None
    try:
        return json.JSONDecoder().raw_decode(line, at)[0]
    except (ValueError, RecursionError):
        return None
