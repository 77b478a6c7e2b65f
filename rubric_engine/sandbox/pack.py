"""Putting a folder of ours into a sandbox: a tar archive that is made while it is sent."""

from __future__ import annotations

import os
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path

from rubric_engine.errors import SandboxError
from rubric_engine.submission.tree import Tree, TreeEntry, scan

_CHUNK = 1 << 20


def pack(folder: Path, name: str, uid: int, gid: int) -> Iterator[bytes]:
    """Yield a tar archive of a folder: its folders, regular files and links as they stand.

    Args:
        folder: A folder that nothing changes meanwhile.
        name: Name of the archive's one top folder, a plain one.
        uid: User that everything is to belong to.
        gid: Its group.

    Raises:
        SandboxError: A file changed while it was read (E832).
        OSError: The folder cannot be read.
    """
    return _joined(_blocks(folder, name, uid, gid))


def _joined(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that are worth a call of the system."""
    waiting = bytearray()
    for block in blocks:
        waiting += block
        if len(waiting) >= _CHUNK:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


def _blocks(folder: Path, name: str, uid: int, gid: int) -> Iterator[bytes]:
    with Tree(folder) as tree:
        yield _header(name, tarfile.DIRTYPE, uid, gid)
        for entry in scan(tree):
            path = f"{name}/{entry.path}"
            if entry.kind == "folder" and entry.trouble is None:
                yield _header(path, tarfile.DIRTYPE, uid, gid)
            elif entry.kind == "link":
                target = tree.read_link(entry.path)
                yield _header(path, tarfile.SYMTYPE, uid, gid, target=target)
            elif entry.kind == "file":
                yield from _file(tree, entry, path, uid, gid)
    yield bytes(2 * tarfile.BLOCKSIZE)


def _file(tree: Tree, entry: TreeEntry, path: str, uid: int, gid: int) -> Iterator[bytes]:
    descriptor = tree.open_file(entry.path)
    try:
        status = os.fstat(descriptor)
        yield _header(path, tarfile.REGTYPE, uid, gid, status=status)
        left = status.st_size
        while left and (chunk := os.read(descriptor, min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
    finally:
        os.close(descriptor)
    if left:
        raise SandboxError(f"{entry.path!r} changed while it was sent", code="E832")
    yield bytes(-status.st_size % tarfile.BLOCKSIZE)


def _header(
    path: str,
    kind: bytes,
    uid: int,
    gid: int,
    *,
    target: str = "",
    status: os.stat_result | None = None,
) -> bytes:
    member = tarfile.TarInfo(path)
    member.type, member.linkname = kind, target
    member.uid, member.gid = uid, gid
    member.mode = 0o755
    if status is not None:
        member.size, member.mtime = status.st_size, int(status.st_mtime)
        member.mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
    # This format takes names of any length and any bytes.
    return member.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
