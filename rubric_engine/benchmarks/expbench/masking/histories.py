"""What git keeps of a past, wherever it lies: packs, bundles, objects, repositories. Pure."""

from __future__ import annotations

import re
import zlib

HEAD_BYTES = 512
"""Bytes of a file's start that tell what it is."""

_MARKS = (
    (b"# v2 git bundle", "a git bundle, which holds history"),
    (b"# v3 git bundle", "a git bundle, which holds history"),
    (b"PACK\0\0\0", "a git pack, which holds history"),
)
_EXPORTED = re.compile(rb"(feature done\n)?(blob\nmark :\d+\n|reset refs/\S+\n(commit|blob) ?)")
_OBJECT = "an object of git"
_OBJECT_NAME = re.compile(r"(^|/)[0-9a-f]{2}/[0-9a-f]{38}([0-9a-f]{24})?$")
_OBJECT_START = re.compile(rb"(blob|tree|commit|tag) \d+\0")


def is_git(path: str) -> bool:
    """Whether an entry is what git keeps for itself."""
    return _own(path.rpartition("/")[2])


def history_in(path: str, head: bytes) -> str | None:
    """What of git's history a file holds, or None.

    Args:
        path: Its path, in a folder or in an archive.
        head: Its first `HEAD_BYTES` bytes.
    """
    if any(map(_own, path.split("/")[:-1])):
        return "a part of git's history and settings"
    if _OBJECT_NAME.search(path) or _OBJECT_START.match(_inflated(head)):
        return _OBJECT
    if _EXPORTED.match(head):
        return "a history as git exports it"
    return next((what for mark, what in _MARKS if head.startswith(mark)), None)


def _own(name: str) -> bool:
    return name.casefold() == ".git"


def _inflated(head: bytes) -> bytes:
    """The start of what may have been packed as git packs its objects; else as it is."""
    try:
        return zlib.decompressobj().decompress(head, 32)
    except zlib.error:
        return head
