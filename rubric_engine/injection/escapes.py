r"""Letters written as escapes (`\x49`, `\u0049`, `\111`, `%49`), and ROT13."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from rubric_engine.injection.finding import Spot
from rubric_engine.injection.hidden import without_hidden
from rubric_engine.injection.phrases import folded, phrases

# What begins with one letter is found quickly, and most texts have no other escape.
_SLASHED = (
    r"\\(?:(\\?x[0-9A-Fa-f]{2}(?:\\{1,2}x[0-9A-Fa-f]{2})*)"
    r"|\\?(?:u([0-9A-Fa-f]{4})|U000([0-9A-Fa-f]{5})|u\{([0-9A-Fa-f]{1,5})\}"
    r"|([01]?[0-7]{2})|([\"'nrt])))"
)
_ESCAPE = re.compile(_SLASHED)
_PERCENT = re.compile("%[0-9A-Fa-f]{2}")
_ANY_ESCAPE = re.compile(rf"{_SLASHED}|(?:%[0-9A-Fa-f]{{2}})+")
_SINGLE = 6  # group of the escapes that any string has
_BYTES = re.compile(r"[0-9A-Fa-f]{2}")
_LETTERS = re.compile("[A-Za-z]{3}")
_AROUND = 200


@dataclass
class _Unescaped:
    """A text with letters for its escapes.

    Attributes:
        starts: Where in `text` the letters of each escape begin.
        ends: Where they end.
        shorter: How much shorter the text has become up to there.
        plain: Whether it is an escape that any string has: a line's end, a quote.
        text: The text.
    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    shorter: list[int] = field(default_factory=list)
    plain: list[bool] = field(default_factory=list)
    text: str = ""


def escaped_texts(text: str, said: Collection[Spot]) -> Iterator[Spot]:
    """What is said to a judge once escapes stand for their letters, and is not before.

    Args:
        text: A text that was `folded`.
        said: What is said in it as it stands.
    """
    found = _unescaped(text)
    if not found.starts:
        return
    open_ones = {spot.start for spot in said}
    for spot in phrases(found.text):
        first = bisect_left(found.ends, spot.start)
        last = bisect_right(found.starts, spot.end)
        at = spot.start + (found.shorter[first - 1] if first else 0)
        if first == last or at in open_ones:
            continue
        meant = found.text[spot.start : spot.start + _AROUND]
        kind = spot.kind if all(found.plain[first:last]) else "encoded_text"
        yield Spot(at, at, kind, f"(in escapes) {meant}")


def rotated_texts(text: str) -> Iterator[Spot]:
    """What is said to a judge in ROT13."""
    plain = codecs.encode(text, "rot13")
    for spot in phrases(plain):
        # Chinese stays as it is, and was found in the open.
        if _LETTERS.search(text, spot.start, spot.end):
            said = plain[spot.start : spot.start + _AROUND]
            yield Spot(spot.start, spot.end, "encoded_text", f"(in ROT13) {said}")


def _unescaped(text: str) -> _Unescaped:
    found = _Unescaped()
    pieces: list[str] = []
    past = length = 0
    escapes = _ESCAPE if _PERCENT.search(text) is None else _ANY_ESCAPE
    for match in escapes.finditer(text):
        before, meant = text[past : match.start()], _meant(match)
        pieces += (before, meant)
        past = match.end()
        found.starts.append(length + len(before))
        length += len(before) + len(meant)
        found.ends.append(length)
        found.shorter.append(past - length)
        found.plain.append(match.lastindex == _SINGLE)
    found.text = "".join([*pieces, text[past:]])
    return found


def _meant(match: re.Match[str]) -> str:
    """What an escape stands for; a line's end becomes a space, so that lines stay."""
    run, *codes, octal, single = match.groups()
    if run or match[0].startswith("%"):
        pairs = _BYTES.findall(match[0].replace("\\x", " "))
        meant = bytes.fromhex("".join(pairs)).decode("utf-8", "replace")
    elif single:
        meant = single if single in "\"'" else " "
    else:
        code = next((code for code in codes if code), "")
        meant = chr(int(code, 16) if code else int(octal, 8))
    if not meant.isascii():
        meant = folded(without_hidden(meant))
    return "".join(letter if letter.isprintable() else " " for letter in meant)
