r"""Letters written as escapes (`\x49`, `\u0049`, `\111`, `%49`), and ROT13."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Iterator

from rubric_engine.injection.finding import Spot
from rubric_engine.injection.hidden import without_hidden
from rubric_engine.injection.phrases import folded, phrases

_ESCAPE = re.compile(
    r"((?:%[0-9A-Fa-f]{2})+|(?:\\{1,2}x[0-9A-Fa-f]{2})+)"
    r"|\\{1,2}(?:u([0-9A-Fa-f]{4})|U000([0-9A-Fa-f]{5})|u\{([0-9A-Fa-f]{1,5})\}"
    r"|([01]?[0-7]{2})|([\"'nrt]))"
)
_BYTES = re.compile(r"[0-9A-Fa-f]{2}")
_AROUND = 200


def escaped_texts(text: str) -> Iterator[Spot]:
    """What is said to a judge once escapes stand for their letters."""
    plain, places, shorter = _unescaped(text)
    for spot in phrases(plain) if places else ():
        first = bisect_left(places, spot.start)
        if first < len(places) and places[first] < spot.end:
            at = spot.start + (shorter[first - 1] if first else 0)
            said = plain[spot.start : spot.start + _AROUND]
            yield Spot(at, at, "encoded_text", f"(in escapes) {said}")


def rotated_texts(text: str) -> Iterator[Spot]:
    """What is said to a judge in ROT13."""
    plain = codecs.encode(text, "rot13")
    for spot in phrases(plain):
        said = plain[spot.start : spot.start + _AROUND]
        yield Spot(spot.start, spot.end, "encoded_text", f"(in ROT13) {said}")


def _unescaped(text: str) -> tuple[str, list[int], list[int]]:
    """The text with letters for escapes, where these stand, and how much shorter it is there."""
    pieces: list[str] = []
    places: list[int] = []
    shorter: list[int] = []
    past = length = 0
    for match in _ESCAPE.finditer(text):
        before, meant = text[past : match.start()], _meant(match)
        pieces += (before, meant)
        past = match.end()
        places.append(length + len(before))
        length += len(before) + len(meant)
        shorter.append(past - length)
    return "".join([*pieces, text[past:]]), places, shorter


def _meant(match: re.Match[str]) -> str:
    """What an escape stands for; a line's end becomes a space, so that lines stay."""
    run, *codes, octal, single = match.groups()
    if run:
        pairs = _BYTES.findall(run.replace("\\x", " "))
        meant = bytes.fromhex("".join(pairs)).decode("utf-8", "replace")
    elif single:
        meant = single if single in "\"'" else " "
    else:
        code = next((code for code in codes if code), "")
        meant = chr(int(code, 16) if code else int(octal, 8))
    if not meant.isascii():
        meant = folded(without_hidden(meant))
    return "".join(letter if letter.isprintable() else " " for letter in meant)
