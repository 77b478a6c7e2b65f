"""The text of a paper in blocks, by what its line breaks mean; it stays text. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Kind = Literal["prose", "table", "code", "math", "heading"]

_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})")
_MATH = re.compile(r"\s*(?P<open>\$\$|\\\[|\\begin\{(?P<name>[a-zA-Z]+\*?)\})")
_ROW = re.compile(r"\s*(\||\+[-=]{2,}\+)")
_RULER = re.compile(r"\s*:?-+:?\s*(\|\s*:?-+:?\s*)+$")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(?P<title>.*\S)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})\s*$")
_ITEM = re.compile(r"\s*([-*+]\s|\d{1,3}[.)]\s|>|\[\^[^\]\s]+\]:|([-*_]\s*){3,}$)")
_INDENTED = re.compile(r"( {4}|\t)\s*\S")
_FORMULA = re.compile(r"(?<![\\$])(\$(?![\s$])(?:[^$\\\n]|\\.)*(?<!\s)\$(?![\d$]))")


@dataclass(frozen=True)
class Block:
    """A piece of text.

    Attributes:
        kind: What it is. Line breaks of a table, of code and of mathematics count; those of prose
            do not, and are gone but where its author forced one.
        parts: The text in parts; every second one of prose is a formula, which is not broken.
    """

    kind: Kind
    parts: tuple[str, ...]


def blocks(text: str) -> Iterator[Block]:
    """Split a text into blocks.

    Args:
        text: Markdown, or any other text.
    """
    lines, at, is_list = text.split("\n"), 0, False
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        kind, end = _kept(lines, at, is_list) or _flowing(lines, at)
        if kind == "prose":
            yield Block(kind, tuple(_FORMULA.split(_joined(lines[at:end]))))
            is_list = _ITEM.match(lines[at]) is not None or (is_list and lines[at][0].isspace())
        elif kind == "heading":
            found = _HEADING.match(lines[at])
            yield Block(kind, (found["title"] if found else lines[at].strip(),))
        else:
            yield Block(kind, ("\n".join(lines[at:end]),))
        at = end


def _kept(lines: Sequence[str], at: int, is_list: bool) -> tuple[Kind, int] | None:
    """What begins at a line and keeps its line breaks, and where it ends."""
    line = lines[at]
    if fence := _FENCE.match(line):
        return "code", _after(lines, at, re.compile(rf"\s*{fence['fence']}+\s*$"))
    if math := _MATH.match(line):
        return "math", _after_math(lines, at, math)
    if _is_row(lines, at):
        return "table", _while(lines, at, re.compile(r".*\|" if "|" in line else _ROW))
    if _INDENTED.match(line) and not is_list and not (at and lines[at - 1].strip()):
        return "code", _while(lines, at, _INDENTED)
    return None


def _is_row(lines: Sequence[str], at: int) -> bool:
    if _ROW.match(lines[at]):
        return True
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return "|" in lines[at] and _RULER.match(below) is not None


def _flowing(lines: Sequence[str], at: int) -> tuple[Kind, int]:
    """A heading or a paragraph, and where it ends."""
    if _HEADING.match(lines[at]):
        return "heading", at + 1
    end = at + 1
    if end < len(lines) and _UNDERLINE.match(lines[end]) and not _ITEM.match(lines[at]):
        return "heading", end + 1
    while end < len(lines) and lines[end].strip() and not _begins(lines, end):
        end += 1
    return "prose", end


def _begins(lines: Sequence[str], at: int) -> bool:
    return any(each.match(lines[at]) for each in (_FENCE, _MATH, _HEADING, _ITEM)) or _is_row(
        lines, at
    )


def _after(lines: Sequence[str], at: int, closing: re.Pattern[str]) -> int:
    """Number of the line behind the one that closes; all lines where none does."""
    closed = (number for number in range(at + 1, len(lines)) if closing.match(lines[number]))
    return next(closed, len(lines) - 1) + 1


def _while(lines: Sequence[str], at: int, wanted: re.Pattern[str]) -> int:
    others = (number for number in range(at, len(lines)) if not wanted.match(lines[number]))
    return next(others, len(lines))


def _after_math(lines: Sequence[str], at: int, opening: re.Match[str]) -> int:
    """The line behind the end of displayed mathematics, which no empty line is part of."""
    name = opening["name"]
    closing = f"\\end{{{name}}}" if name else "$$" if opening["open"] == "$$" else "\\]"
    if closing in lines[at][opening.end() :]:
        return at + 1
    for number in range(at + 1, len(lines)):
        if not lines[number].strip():
            return number
        if closing in lines[number]:
            return number + 1
    return len(lines)


def _joined(lines: Sequence[str]) -> str:
    """Lines of a paragraph as one; two spaces at the end of a line force a break."""
    parts = [lines[0].rstrip()]
    for before, line in pairwise(lines):
        text = line.strip()
        forced = before.endswith("  ")
        parts += ["\n" if forced else _between(before.rstrip()[-1], text[0]), text]
    return "".join(parts)


def _between(last: str, first: str) -> str:
    """What stands between two lines: nothing between characters that are written without spaces."""
    return "" if _is_spaceless(last) and _is_spaceless(first) else " "


def _is_spaceless(char: str) -> bool:
    is_hangul = "\uac00" <= char <= "\ud7a3"
    return not is_hangul and unicodedata.east_asian_width(char) in ("W", "F")
