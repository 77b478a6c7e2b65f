"""Checking citations against the submission: verified, moved, or not found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from rubric_engine.evidence import split
from rubric_engine.grading import Citation
from rubric_engine.judges.simple.verdict import CitedLines

_NEAR = 3
"""Lines by which a quote may stand off and still be verified."""

_MOST_QUOTE = 2000


def check(
    cited: CitedLines, paths: Mapping[str, str], read: Callable[[str], str | None]
) -> Citation:
    """Say whether the quote stands where the judge says that it does.

    Args:
        cited: What the judge gave.
        paths: Real path by the name that the evidence shows.
        read: Text of a file of the submission; None where it is none that may be read.
    """
    path = paths.get(cited.path, cited.path)
    last = max(cited.start_line, cited.end_line)
    text = read(path)
    return Citation(
        path=path,
        start_line=cited.start_line,
        end_line=last,
        quote=cited.quote[:_MOST_QUOTE],
        verified=_found(cited.quote, text, cited.start_line, last),
    )


def _found(
    quote: str, text: str | None, first: int, last: int
) -> Literal["verified", "moved", "not_found"]:
    wanted = _plain(quote)
    if text is None or not wanted:
        return "not_found"
    lines = split(text)
    near = "\n".join(lines[max(0, first - 1 - _NEAR) : last + _NEAR])
    if wanted in _plain(near):
        return "verified"
    return "moved" if wanted in _plain(text) else "not_found"


def _plain(text: str) -> str:
    return " ".join(text.split())
