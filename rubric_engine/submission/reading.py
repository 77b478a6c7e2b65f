"""What the kinds of submission share when they read: look-up, checks, decoding."""

from __future__ import annotations

import codecs
import hashlib
import os
from itertools import islice

from rubric_engine.errors import SubmissionError
from rubric_engine.files import File, FileIndex
from rubric_engine.near import near

_MOST_NAMES_COMPARED = 2000
_CHUNK = 1 << 20


def look_up(files: FileIndex, path: str) -> File:
    """The readable file of that path.

    Raises:
        SubmissionError: The index has no such file, or it is skipped.
    """
    if path in files:
        return files[path]
    reason = next((file.skipped for file in files.skipped if file.path == path), None)
    if reason:
        raise SubmissionError(f"{path!r} cannot be read: {reason}", code="E305")
    hint = near(path, islice(files.readable, _MOST_NAMES_COMPARED))
    message = f"the submission has no file {path!r}"
    raise SubmissionError(f"{message}; {hint}" if hint else message, code="E305")


def read_checked(descriptor: int, file: File, max_bytes: int | None) -> bytes:
    """Read an open file and make sure that it is still the one that was indexed.

    Args:
        descriptor: The open file, at its start.
        file: What the index says of it.
        max_bytes: Read no more than this; None reads all.

    Raises:
        SubmissionError: Size or content changed since it was indexed.
    """
    if os.fstat(descriptor).st_size != file.size:
        raise changed(file.path)
    data = _read(descriptor, file.size if max_bytes is None else min(max_bytes, file.size))
    if len(data) == file.size and hashlib.sha256(data).hexdigest() != file.sha256:
        raise changed(file.path)
    return data


def changed(path: str, why: str = "its content is another") -> SubmissionError:
    """The error for a file that is no longer what the index says."""
    return SubmissionError(
        f"{path!r} changed since it was indexed: {why}",
        code="E306",
        fix=["let nothing write to the submission while it is graded, then start again"],
    )


def decode(data: bytes, *, cut: bool) -> str:
    """Text of untrusted bytes: marks of UTF-8 and UTF-16 honoured, what is invalid replaced.

    Args:
        data: The bytes.
        cut: Whether more bytes followed; a character that the cut split is then left out.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig"
    return codecs.getincrementaldecoder(encoding)("replace").decode(data, final=not cut)


def _read(descriptor: int, size: int) -> bytes:
    chunks = []
    while size > 0 and (chunk := os.read(descriptor, min(_CHUNK, size))):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
