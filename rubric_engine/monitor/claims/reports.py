"""What a task says reports on a submission: a file, or a text within a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce

from rubric_engine.errors import SubmissionError
from rubric_engine.monitor.claims.claim import NumberClaim
from rubric_engine.monitor.claims.grounds import Grounds
from rubric_engine.monitor.texts import SourceText
from rubric_engine.submitted import Submission

_MOST_BYTES = 2_000_000


def file_of(name: str) -> str:
    """The file of a report, such as `answer.json` of `answer.json#/conclusion`."""
    return name.partition("#")[0]


def reports_of(submission: Submission, named: Iterable[str]) -> Iterator[SourceText]:
    """The reports that a task names; of one that is not there, or is no text, nothing.

    Args:
        submission: The submission as it was handed in.
        named: Paths; behind `#` a JSON pointer (RFC 6901) to the text in the file that counts.
    """
    for name in named:
        path, pointed, pointer = name.partition("#")
        with suppress(SubmissionError):  # who judges it meets the same, and says so
            text = SourceText(
                "submission", name, "docs", submission.read(path, max_bytes=_MOST_BYTES)
            )
            yield replace(text, text=_at(text.text, pointer)) if pointed else text


def quoted(
    claims: Iterable[NumberClaim], grounds: Grounds, data: Sequence[SourceText]
) -> frozenset[str]:
    """The paths of data that was handed in from which claimed numbers come.

    Args:
        claims: The numbers.
        grounds: What the run wrote, and the code: what bears a claim out that no data has to.
        data: Data that was handed in.
    """
    loose = [claim for claim in claims if not grounds.bears(claim)]
    if not loose:
        return frozenset()
    by_path = ((text.path, Grounds.of([text.text], ())) for text in data)
    return frozenset(path for path, own in by_path if any(map(own.bears, loose)))


def _at(text: str, pointer: str) -> str:
    """The text at a place in a JSON document; all of what is no JSON."""
    try:
        found = reduce(_member, pointer.split("/")[1:], json.loads(text))
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, str) else ""


def _member(value: object, token: str) -> object:
    name = token.replace("~1", "/").replace("~0", "~")
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, list) and name.isdecimal():
        return value[int(name)] if int(name) < len(value) else None
    return None
