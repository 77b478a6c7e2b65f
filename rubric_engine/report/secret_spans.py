"""Where secrets stand in a text, also one that stands there in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from rubric_engine.report.drawn import is_drawn
from rubric_engine.report.joints import PUT_TOGETHER, UNSEEN, Joined, is_hard, joined
from rubric_engine.report.key_forms import BEGINNINGS, FORMS, is_form
from rubric_engine.report.known_secrets import HINTS, LEAST, PLACES, PRIVATE_KEY
from rubric_engine.report.secret_values import WORDS

Span = tuple[int, int]

_LEAST_PART = 4
"""Characters of a piece that may go on with a key; a shorter one says too little."""

_MOST_PARTS = 100
"""Pieces in which a key that is not yet whole may stand."""

_MAX_MEMORY = 64_000_000  # bytes that a pattern may take


def secrets_in(data: bytes) -> list[Span]:
    """The bounds of all secrets in a text, in order and apart from each other.

    Args:
        data: The text in UTF-8.
    """
    if len(data) < LEAST:
        return []
    together = joined(data) if _compiled(UNSEEN + b"|" + PUT_TOGETHER).search(data) else None
    plain = data if together is None else together.data
    if _compiled(HINTS).search(plain) is None:
        return []
    found = _found(data)
    if together is not None:
        found += [_whole(together, span) for span in _found(plain)]
    if b"\n" in data or b'"' in data or b"'" in data:
        found += _in_pieces(data, plain, found)
    return _apart(found)


def _found(data: bytes) -> list[Span]:
    """Secrets whose parts are together."""
    found = [(one.start(), one.end()) for one in _compiled(PRIVATE_KEY).finditer(data)]
    found += _forms(data)
    for place in PLACES:
        for one in _compiled(place.pattern).finditer(data):
            start, end = next(one.span(group) for group in _groups(one) if one.end(group) >= 0)
            end = start + len(data[start:end].rstrip(b"\\"))  # of a quote that is escaped
            is_called = not place.or_called and data[end : end + 1] in (b"(", b"[")
            if not is_called and place.holds(_text(data, (start, end))):
                found.append((start, end))
    return found


def _groups(match: Any) -> range:
    return range(1, match.re.groups + 1)


def _forms(data: bytes) -> list[Span]:
    every = _compiled(FORMS).finditer(data)
    spans = [(one.start(), one.end()) for one in every]
    return [span for span in spans if is_form(_text(data, span))]


def _in_pieces(data: bytes, plain: bytes, known: list[Span]) -> Iterator[Span]:
    """Keys that go on behind the end of a line or of a string."""
    if _compiled(BEGINNINGS).search(plain) is None:
        return
    loose = joined(data, soft=True)
    starts = {start for start, _ in known}
    for span in _forms(loose.data):
        kept = _one_key(data, list(loose.parts(*span)), starts)
        if len(kept) > 1 and _is_whole(data, kept):
            yield kept[0][0], kept[-1][1]


def _one_key(data: bytes, parts: list[Span], starts: set[int]) -> list[Span]:
    """The pieces of one key: once it is whole, a word or another key is none of them."""
    kept, is_whole = parts[:1], False
    for start, end in parts[1:]:
        soft = not is_hard(data[kept[-1][1] : start])
        is_whole = is_whole or len(kept) > _MOST_PARTS or _is_whole(data, kept)
        if soft and is_whole:
            piece = _text(data, (start, end))
            if start in starts or not _goes_on(piece, crossed=len(kept) > 1):
                break
        kept.append((start, end))
    return kept


def _is_whole(data: bytes, parts: list[Span]) -> bool:
    together = b"".join(data[start:end] for start, end in parts)
    return _forms(together) == [(0, len(together))]


def _goes_on(piece: str, *, crossed: bool) -> bool:
    """Whether a piece at a soft joint is more of a key; `crossed`: pieces before it were."""
    if len(piece) < _LEAST_PART:
        return False
    return is_drawn(piece, _LEAST_PART, _LEAST_PART) or (crossed and WORDS.fullmatch(piece) is None)


def _whole(view: Joined, span: Span) -> Span:
    parts = list(view.parts(*span))
    return parts[0][0], parts[-1][1]


def _apart(spans: list[Span]) -> list[Span]:
    """Spans in order; those that meet are one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return found


def _text(data: bytes, span: Span) -> str:
    return data[span[0] : span[1]].decode("utf-8", "surrogatepass")


@cache
def _compiled(pattern: str | bytes) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    if isinstance(pattern, bytes):  # bytes that are no text by themselves
        options.encoding = re2.Options.Encoding.LATIN1
        return re2.compile(pattern, options)
    return re2.compile(pattern.encode("utf-8"), options)
