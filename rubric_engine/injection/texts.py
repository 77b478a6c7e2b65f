"""Scanning one text: every kind of finding, at its line."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import PurePosixPath

from rubric_engine.injection.comments import unshown_texts
from rubric_engine.injection.encoded import encoded_texts
from rubric_engine.injection.escapes import escaped_texts, rotated_texts
from rubric_engine.injection.finding import REACH, Finding, Kind, Spot, excerpt, visible
from rubric_engine.injection.hidden import hidden_characters, without_hidden
from rubric_engine.injection.markup import hidden_elements
from rubric_engine.injection.phrases import folded, phrases

_JSON = frozenset({".json", ".jsonl", ".ipynb", ".geojson", ".har"})
_PAGES = frozenset({".html", ".htm", ".xhtml", ".md", ".markdown", ".ipynb"})
_TABLES = frozenset({".csv", ".tsv"})
_ESCAPE = re.compile(r'\\(?:(["\\/])|([bfnrt])|((?:u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*)))')
_MOST = 500  # places of one kind that are counted in a text: nobody reads more
_MOST_SAID = 200


def scan_text(path: str, text: str) -> Iterator[Finding]:
    """What in a text may speak to a judge, each kind once an excerpt, in order of lines.

    Args:
        path: Name of the file, for findings; that of a JSON file or a notebook has its strings
            read as what they stand for, that of a table its doubled quotes.
        text: The text.
    """
    suffix = PurePosixPath(path).suffix.lower()
    lines = _meaning(suffix, text)
    plain = folded(without_hidden(lines))
    elements = partial(hidden_elements, is_page=suffix in _PAGES)
    said = list(phrases(plain))
    escaped = partial(escaped_texts, said=said)
    looks = (elements, unshown_texts, escaped, rotated_texts, encoded_texts)
    found = list(_placed(path, lines, hidden_characters(lines)))
    found += _placed(path, plain, chain(said, *(look(plain) for look in looks)))
    yield from sorted(found, key=lambda finding: (finding.line or 0, finding.kind))


def _meaning(suffix: str, text: str) -> str:
    """The text as what reads such a file takes it, line for line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if suffix in _JSON:
        return _ESCAPE.sub(_meant, lines)
    return lines.replace('""', '"') if suffix in _TABLES else lines


def scan_name(path: str) -> Iterator[Finding]:
    """What in the name of a file may speak to a judge: prompts list names."""
    spoken = re.sub(r"[_/.\s-]+", " ", path)
    for found in (hidden_characters(path), phrases(folded(without_hidden(spoken)))):
        for spot in found:
            yield Finding(path=visible(path), line=None, kind=spot.kind, excerpt=visible(path))


def _placed(path: str, text: str, spots: Iterator[Spot]) -> Iterator[Finding]:
    """Findings at their lines, but for those that the excerpt of the one before shows."""
    starts: list[int] = []
    last: dict[Kind, Spot] = {}
    counts = Counter[Kind]()
    for spot in spots:
        if not starts:
            starts += [0, *(match.end() for match in re.finditer("\n", text))]
        line = bisect_right(starts, spot.start)
        before = last.get(spot.kind)
        reach = before.start + REACH if before is not None else -1
        is_shown = before is not None and starts[line - 1] <= before.start <= spot.start < reach
        if is_shown or counts[spot.kind] == _MOST:
            continue
        last[spot.kind] = spot
        counts[spot.kind] += 1
        said = excerpt(text, spot.start, spot.end)
        if spot.said is not None:
            said = visible(spot.said[:_MOST_SAID])
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
