"""Claims that nothing bears out, and their share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from rubric_engine.monitor.claims.claim import file_claims, number_claims
from rubric_engine.monitor.claims.grounds import Grounds
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitored import Claims

LISTED = 50
"""Claims of a document that are listed; all are counted."""

_REPORT = re.compile(r"readme|report|result|finding|summary|paper|notes?|analysis|write-?up", re.I)
_NUMBER = "no file that the run wrote, no log and no code has this number, at this rounding"
_FILE = "the file that is named here is neither in the submission nor in what its run left"


def claimed(
    documents: Iterable[SourceText], grounds: Grounds, *, with_numbers: bool
) -> tuple[Claims, tuple[Draft, ...]]:
    """Count the claims of documents, and name those that nothing bears out.

    Args:
        documents: Texts of the submission that report on it.
        grounds: What is there.
        with_numbers: Whether the numbers of a run are known, so that numbers can be checked.
    """
    count, drafts = 0, list[Draft]()
    for text in documents:
        found = list(_of_document(text, grounds, with_numbers))
        count += len(found)
        drafts += [draft for draft in found if draft is not None]
    share = len(drafts) / count if count and with_numbers else None
    return Claims(claims=count, ungrounded=len(drafts), share=share), _listed(drafts)


def is_report(text: SourceText) -> bool:
    """Whether a text reports on a submission: its README, or a report by its name."""
    return text.part == "docs" and _REPORT.search(PurePosixPath(text.path).stem) is not None


def _of_document(text: SourceText, grounds: Grounds, with_numbers: bool) -> Iterator[Draft | None]:
    for number in number_claims(text.text) if with_numbers else ():
        yield None if grounds.bears(number) else _draft("number", text, number.line, number.text)
    for file in file_claims(text.text):
        yield None if grounds.has(file) else _draft("file", text, file.line, file.text)


def _draft(what: str, text: SourceText, line: int, shown: str) -> Draft:
    says = _NUMBER if what == "number" else _FILE
    return Draft(f"claims.{what}", "note", text.source, text.path, line, shown, says)


def _listed(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """The first of each document, one a line."""
    counts: dict[str, int] = {}
    kept: list[Draft] = []
    for draft in dict.fromkeys(drafts):
        counts[draft.path] = counts.get(draft.path, 0) + 1
        if counts[draft.path] <= LISTED:
            kept.append(draft)
    return tuple(kept)
