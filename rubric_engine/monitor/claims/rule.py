"""Claims that nothing bears out, and their share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from pathlib import PurePosixPath

from rubric_engine.monitor.claims.claim import (
    FileClaim,
    NumberClaim,
    file_claims,
    number_claims,
)
from rubric_engine.monitor.claims.grounds import Grounds
from rubric_engine.monitor.finding import EXCERPT, Draft
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitored import Claims

LISTED = 50
"""Lines of a document that are listed; all claims are counted."""

_NAMED = 8
"""Claims of a line that are named."""

_BEFORE, _AFTER = 60, 40
"""Characters before and behind a claim that an excerpt holds."""

_REPORT = re.compile(r"readme|report|result|finding|summary|paper|notes?|analysis|write-?up", re.I)
_SAYS = {
    "number": "no file that the run wrote, no log and no code has {listed}, at this rounding",
    "file": "neither the submission nor what its run left has a file {listed}",
}


def claimed(
    documents: Iterable[SourceText], grounds: Grounds, *, with_numbers: bool
) -> tuple[Claims, tuple[Draft, ...]]:
    """Count the claims of documents, and name those that nothing bears out.

    Args:
        documents: Texts of the submission that report on it.
        grounds: What is there.
        with_numbers: Whether the numbers of a run are known, so that numbers can be checked.
    """
    count, ungrounded, drafts = 0, 0, list[Draft]()
    for text in documents:
        numbers = [*number_claims(text.text)] if with_numbers else []
        files = [*file_claims(text.text)]
        no_ground = [one for one in numbers if not grounds.bears(one)]
        no_file = [one for one in files if not grounds.has(one)]
        count += len(numbers) + len(files)
        ungrounded += len(no_ground) + len(no_file)
        found = chain(_drafts("number", text, no_ground), _drafts("file", text, no_file))
        drafts += islice(found, LISTED)
    share = ungrounded / count if count and with_numbers else None
    return Claims(claims=count, ungrounded=ungrounded, share=share), tuple(drafts)


def is_report(text: SourceText) -> bool:
    """Whether a text reports on a submission: its README, or a report by its name."""
    return text.part == "docs" and _REPORT.search(PurePosixPath(text.path).stem) is not None


def _drafts(
    what: str, text: SourceText, claims: Sequence[NumberClaim | FileClaim]
) -> Iterator[Draft]:
    """A finding a line, with all that stands there and that nothing bears out."""
    for line, group in groupby(claims, key=lambda one: one.line):
        on_line = list(group)
        says = _SAYS[what].format(listed=_listing([one.shown.strip() for one in on_line]))
        first = on_line[0]
        shown = _around(first.text, first.start)
        yield Draft(f"claims.{what}", "note", text.source, text.path, line, shown, says)


def _listing(names: Sequence[str]) -> str:
    """Some things in words: `a`, `a or b`, `a, b or c`; of many the first."""
    once = list(dict.fromkeys(names))
    last = once.pop() if len(once) <= _NAMED else f"{len(once) - _NAMED} more"
    return " or ".join([", ".join(once[:_NAMED]), last] if once else [last])


def _around(line: str, start: int) -> str:
    """A line from a little before a place on, where the place would be cut off."""
    return line if start < EXCERPT - _AFTER else "..." + line[start - _BEFORE :]
