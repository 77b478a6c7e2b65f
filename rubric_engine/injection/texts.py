"""Scanning one text: every kind of finding, at its line."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import PurePosixPath

from rubric_engine.injection.encoded import encoded_texts
from rubric_engine.injection.finding import Finding, Spot, excerpt, visible
from rubric_engine.injection.hidden import hidden_characters, without_hidden
from rubric_engine.injection.markup import hidden_texts
from rubric_engine.injection.phrases import folded, phrases

_JSON = frozenset({".json", ".jsonl", ".ipynb", ".geojson", ".har"})
_ESCAPE = re.compile(r'\\(?:(["\\/])|([bfnrt])|((?:u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*)))')
_MOST_MARKUP = 1_000_000
_MOST = 500  # spots of one way of looking that are placed: nobody reads more of one text
_MOST_SAID = 200


def scan_text(path: str, text: str) -> Iterator[Finding]:
    """What in a text may speak to a judge, each kind once a line, in order of lines.

    Args:
        path: Name of the file, for findings; that of a JSON file or a notebook has its strings
            read as what they stand for.
        text: The text.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if PurePosixPath(path).suffix.lower() in _JSON:
        lines = _ESCAPE.sub(_meant, lines)
    plain = folded(without_hidden(lines))
    found = chain(
        _placed(path, lines, hidden_characters(lines)),
        _placed(path, plain, phrases(plain)),
        _placed(path, plain, hidden_texts(plain[:_MOST_MARKUP])),
        _placed(path, plain, encoded_texts(plain)),
    )
    once = {(finding.line, finding.kind): finding for finding in reversed(list(found))}
    yield from sorted(once.values(), key=lambda finding: (finding.line or 0, finding.kind))


def scan_name(path: str) -> Iterator[Finding]:
    """What in the name of a file may speak to a judge: prompts list names."""
    spoken = re.sub(r"[_/.\s-]+", " ", path)
    for found in (hidden_characters(path), phrases(folded(without_hidden(spoken)))):
        for spot in found:
            yield Finding(path=visible(path), line=None, kind=spot.kind, excerpt=visible(path))


def _placed(path: str, text: str, spots: Iterator[Spot]) -> Iterator[Finding]:
    starts: list[int] = []
    for spot in islice(spots, _MOST):
        starts = starts or [match.end() for match in re.finditer("\n", text)]
        said = excerpt(text, spot.start, spot.end)
        if spot.said is not None:
            said = visible(spot.said[:_MOST_SAID])
        line = bisect_right(starts, spot.start) + 1
        yield Finding(path=visible(path), line=line, kind=spot.kind, excerpt=said)


def _meant(match: re.Match[str]) -> str:
    """What an escape of JSON stands for; a line's end becomes a space, so that lines stay."""
    same, control, _ = match.groups()
    if same:
        return str(same)
    if control:
        return " "
    meant = json.loads(f'"{match[0]}"')
    return " " if meant in "\r\n" else str(meant)
