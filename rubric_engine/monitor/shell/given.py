"""What commands are given to read: the output of others, lists of lines, here-documents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.printing import printed, without_comments
from rubric_engine.monitor.shell.words import MOST_LENGTH, MOST_VALUES, Allowance, Values

READS = frozenset({"mapfile", "read", "readarray"})
"""Commands that put what they are given into variables."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_LONGEST = 20_000
"""Characters that are looked through for a here-document before it is its turn."""


def names_of(words: Sequence[str]) -> tuple[str, ...]:
    """The variables that a command of `READS` sets; a value of an option may be among them."""
    return tuple(word for word in words[1:] if _NAME.fullmatch(word)) or ("REPLY", "MAPFILE")


def listed(text: str) -> Values:
    """The lines of a text, each a value."""
    lines = [line.strip() for line in without_comments(text).split("\n") if line.strip()]
    return first_of(lines)


def first_of(values: Sequence[str]) -> Values:
    """The values that are followed; those past the last one are one together."""
    last = MOST_VALUES - 1
    rest = (" ".join(values[last:]),) if len(values) > last else ()
    return (*values[:last], *rest)


def body_behind(text: str, at: int, end_word: str, allowance: Allowance) -> str:
    """The here-document that follows the line of a position, as far as it is looked for."""
    begin = text.find("\n", at, at + _LONGEST) + 1
    window = text[begin : begin + _LONGEST]
    if not begin or not allowance.take((text[at:begin], window)):
        return ""
    return body_at(window, 0, end_word)[0]


def body_at(text: str, at: int, end_word: str) -> tuple[str, int]:
    """The here-document that begins at a position, and the position behind it."""
    begin = at
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line, at = text[at:stop], stop + 1
        if line.strip() == end_word:
            return text[begin:stop].rpartition("\n")[0], at
    return text[begin:], at


def output_of(found: Sequence[Command], files: Files) -> str:
    """What the last of some commands prints, those before it in its pipe included.

    Args:
        found: The commands.
        files: What is known of files; one that is unknown stands as its name.
    """
    output = ""
    for command in found:
        given = command.stdin if command.stdin is not None else output if command.piped else ""
        if command.reads:
            given = given or files.among((command.reads,)) or command.reads
        output = printed(command.words, given, files.among)
    return output[:MOST_LENGTH]


_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


def filled(text: str, known: Mapping[str, Values], allowance: Allowance) -> str:
    """A here-document with the variables that are known."""

    def value(match: re.Match[str]) -> str:
        values = known.get(match[1] or match[2])
        return values[0] if values and allowance.take(values) else match[0]

    return _VARIABLE.sub(value, text) if "$" in text else text
