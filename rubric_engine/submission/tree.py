"""Opening folders and files below a root, one name at a time and never through a link.

Every open is relative to the descriptor of the folder above it and refuses links, so nothing that
a submission holds, or swaps in while it is read, leads out of its root. Paths may be far longer
than the system's limit, since no call ever sees more than one name.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from rubric_engine.submission.limits import DEEPEST

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a pipe that took a file's place would wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OPEN_LEVELS = 64
_GIVEN_UP = -1


class Tree:
    """A root folder and a position below it, for one thread.

    Only the last `_OPEN_LEVELS` folders of the position stay open, so depth costs no descriptors.

    Args:
        root: The folder; it may itself be reached through links.

    Raises:
        OSError: The root is no folder that can be opened.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._names: list[str] = []
        self._open: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave(0)
        os.close(self._root)

    def folder(self, path: str) -> int:
        """Descriptor of a folder below the root, good until the next call of any method."""
        parts = path.split("/") if path else []
        self._leave(_common(self._names, parts))
        if self._open and self._open[-1] == _GIVEN_UP:
            self._leave(0)
        for name in parts[len(self._names) :]:
            self._enter(name)
        return self._here

    def open_file(self, path: str) -> int:
        """Descriptor of a regular file; the caller closes it.

        Raises:
            OSError: There is no such file, it cannot be read, or it is not a regular file.
        """
        folder, _, name = path.rpartition("/")
        descriptor = os.open(name, _FILE, dir_fd=self.folder(folder))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file")
        return descriptor

    def read_link(self, path: str) -> str:
        """What a link points to."""
        folder, _, name = path.rpartition("/")
        return os.readlink(name, dir_fd=self.folder(folder))

    @property
    def _here(self) -> int:
        return self._open[-1] if self._open else self._root

    def _enter(self, name: str) -> None:
        self._open.append(os.open(name, _FOLDER, dir_fd=self._here))
        self._names.append(name)
        spare = len(self._open) - _OPEN_LEVELS - 1
        if spare >= 0 and self._open[spare] != _GIVEN_UP:
            os.close(self._open[spare])
            self._open[spare] = _GIVEN_UP

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            self._names.pop()
            descriptor = self._open.pop()
            if descriptor != _GIVEN_UP:
                os.close(descriptor)


def _common(left: list[str], right: list[str]) -> int:
    for depth, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return depth
    return min(len(left), len(right))


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One thing in a folder, as it stands there.

    Attributes:
        path: Relative to the root, parts joined by ``/``.
        kind: What it is by its mode; links are not followed.
        mode: The mode bits.
        size: Bytes.
        trouble: Why a folder was not listed, or None.
    """

    path: str
    kind: Literal["file", "folder", "link", "special"]
    mode: int = 0
    size: int = 0
    trouble: str | None = None


def scan(tree: Tree, enter: Callable[[str], bool] = lambda path: True) -> Iterator[TreeEntry]:
    """Yield all entries below the root, each folder before what lies in it.

    Folders are taken in an order that their names alone decide. One whose files would have more
    than `DEEPEST` names in their path is not looked into, and comes a second time with that as
    its trouble, as does one that cannot be listed.

    Args:
        tree: Where; callers may use it between entries.
        enter: Tells from a folder's path whether to look into it.

    Raises:
        OSError: The root itself cannot be listed.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        if folder.count("/") >= DEEPEST - 1:
            yield TreeEntry(folder, "folder", trouble=f"it lies {DEEPEST} levels deep")
            continue
        try:
            entries = _list(tree.folder(folder), folder)
        except OSError as error:
            if not folder:
                raise
            yield TreeEntry(folder, "folder", trouble=reason_of(error))
            continue
        for entry in entries:
            yield entry
            if entry.kind == "folder" and enter(entry.path):
                pending.append(entry.path)


def give_mode(name: str, mode: int, folder: int) -> None:
    """Change the mode of an entry of an open folder, never that of what a link points to.

    Raises:
        OSError: It is a link, is gone, or is not ours.
    """
    if os.chmod in os.supports_follow_symlinks:
        os.chmod(name, mode, dir_fd=folder, follow_symlinks=False)
        return
    # Linux: a descriptor that opens nothing, and the name under which the system knows it.
    descriptor = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        if stat.S_ISLNK(os.fstat(descriptor).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        os.chmod(f"/proc/self/fd/{descriptor}", mode)  # noqa: PTH101 (as for the other calls)
    finally:
        os.close(descriptor)


def reason_of(error: OSError) -> str:
    """A system error in the words of the system, without any path."""
    return error.strerror or type(error).__name__


def _list(descriptor: int, folder: str) -> list[TreeEntry]:
    prefix = folder + "/" if folder else ""
    entries = []
    with os.scandir(descriptor) as found:
        for item in found:
            try:
                status = item.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # gone since the folder was listed
            kind = _kind(status.st_mode)
            entries.append(TreeEntry(prefix + item.name, kind, status.st_mode, status.st_size))
    return sorted(entries, key=lambda entry: entry.path)


def _kind(mode: int) -> Literal["file", "folder", "link", "special"]:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "special"
