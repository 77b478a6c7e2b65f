"""Checking citations against the submission: verified, moved, or not found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Literal

from rubric_engine.grading import Citation, Grade
from rubric_engine.judges.simple.plain import PlainText, words_of
from rubric_engine.judges.simple.reading import Reading

_NEAR = 3
"""Lines by which a quote may stand off and still be verified."""

_MOST_QUOTE = 2000

_LONG = 200_000
"""Bytes that take some milliseconds to be made ready; more is done beside the event loop."""

Found = Literal["verified", "moved", "not_found"]


async def checked(grade: Grade, reading: Reading) -> Grade:
    """A grade with its citations checked.

    Args:
        grade: The grade; its citations name files as prompts show them.
        reading: Reads what they name.
    """
    if not grade.citations:
        return grade
    paths = {reading.path(place.path) for place in grade.citations}
    if sum(map(reading.weight, paths)) > _LONG:
        return await asyncio.to_thread(_checked, grade, reading)
    return _checked(grade, reading)


def _checked(grade: Grade, reading: Reading) -> Grade:
    places = tuple(check(place, reading) for place in grade.citations)
    return grade.model_copy(update={"citations": places})


def check(cited: Citation, reading: Reading) -> Citation:
    """Say whether a quote stands where it should, in any version of the file.

    Args:
        cited: What the judge gave.
        reading: Reads what it names.
    """
    path, quote = reading.path(cited.path), cited.quote or ""
    first = cited.start_line or 1
    last = cited.end_line or first
    found = _best(words_of(quote), reading.versions(path), first, last)
    return cited.model_copy(update={"path": path, "quote": quote[:_MOST_QUOTE], "verified": found})


def _best(wanted: str, versions: Iterable[PlainText], first: int, last: int) -> Found:
    best: Found = "not_found"
    for text in versions if wanted else ():
        if wanted in text.between(first - _NEAR, last + _NEAR):
            return "verified"
        if wanted in text.words:
            best = "moved"
    return best
