"""Knowing the contents in an archive that flows, without keeping any of it."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable
from typing import NamedTuple

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.chunk_source import ChunkSource
from rubric_engine.submission.header_stream import HeadersTooLarge
from rubric_engine.submission.headers import open_tar
from rubric_engine.submission.members import NONSENSE

_CHUNK = 1 << 20


class Contents(NamedTuple):
    """Hashes of regular files, and whether these are all."""

    hashes: frozenset[str]
    whole: bool


def contents_of(chunks: Iterable[bytes], most_bytes: int, most_files: int) -> Contents:
    """Hash the regular files of an archive, until there are too many or they are too large.

    Args:
        chunks: The archive, in pieces of any size. They may not be read to the end; whoever opened
            the stream closes it.
        most_bytes: Bytes that are read at most.
        most_files: Members that are looked at at most.

    Raises:
        SandboxError: The archive is cut off or damaged (E830), or could not be read (E831).
    """
    hashes: set[str] = set()
    try:
        with open_tar(ChunkSource(chunks)) as tar:
            for member in tar.members_once():
                most_bytes -= member.size
                most_files -= 1
                if most_bytes < 0 or most_files < 0:
                    return Contents(frozenset(hashes), whole=False)
                if member.isreg():
                    hashes.add(_hash(tar, member))
    except HeadersTooLarge:
        return Contents(frozenset(hashes), whole=False)
    except NONSENSE as error:
        message = f"the files of the run came back cut off or damaged: {error}"
        raise SandboxError(message, code="E830") from error
    return Contents(frozenset(hashes), whole=True)


def _hash(tar: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    source, digest = tar.extractfile(member), hashlib.sha256()
    while source and (chunk := source.read(_CHUNK)):
        digest.update(chunk)
    return digest.hexdigest()
