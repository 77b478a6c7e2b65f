"""Scanning a case: the submission as handed in, what its run left, and what the run printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from rubric_engine.case import Case
from rubric_engine.errors import SubmissionError
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.files import File
from rubric_engine.injection import Finding, Listing, Scan, scan_name, scan_text
from rubric_engine.submitted import Submission

LISTED = 200
"""Findings that are listed."""

_MOST_BYTES = 100_000_000  # of all files together


def scan(case: Case) -> Scan:
    """Look for text that speaks to a judge; what is found is listed, and stays where it is.

    Args:
        case: What is judged. Pictures, archives and other files that no judge is shown as text
            are not looked at, their names are.
    """
    listing = Listing(LISTED)
    files = unread = 0
    left = _MOST_BYTES
    for source, file in case.files():
        most = min(most_bytes(file), left)
        listing.take(chain(scan_name(file.path), _in_file(source, file, most)))
        left -= min(file.size, most)
        files += bool(most)
        unread += file.size > most > 0 or (not most and most_bytes(file) > 0 and file.size > 0)
    log = case.execution.log if case.execution is not None else None
    if log is not None:
        listing.take(scan_text(LOG_NAME, log.text))
        files += 1
    return Scan(
        count=listing.counts.total(),
        counts=dict(listing.counts),
        findings=listing.listed(),
        files=files,
        unread=unread,
    )


def _in_file(source: Submission, file: File, most: int) -> Iterator[Finding]:
    if most:
        with suppress(SubmissionError):  # who judges it meets the same, and says so
            yield from scan_text(file.path, source.read(file.path, max_bytes=most))
