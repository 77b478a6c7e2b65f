"""Files of hidden names that the agent wrote itself: to read these again shows it no answer."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, join, normpath
from typing import Literal

from rubric_engine.monitor.programs import git_arguments
from rubric_engine.monitor.shell import Ran
from rubric_engine.monitor.shell.files import Texts

COPIES = frozenset({"cp", "install", "ln", "mv", "rsync", "scp"})
"""Programs whose last word is a file that they write, and do not read."""

_RESTORES = frozenset(
    {"am", "apply", "checkout", "cherry-pick", "clone", "merge", "pull", "read-tree", "rebase"}
    | {"reset", "restore", "revert", "stash", "submodule", "switch", "worktree"}
)
_APPENDS = frozenset({"-a", "--append"})
_TO_FOLDER = frozenset({"-t", "--target-directory"})


class OwnFiles:
    """The files that a log shows to be written, as far as nothing put others in their place.

    Attributes:
        changes: How often they changed.
    """

    def __init__(self) -> None:
        self._texts = Texts()
        self.changes = 0

    def wrote(self, path: str, folder: str = "") -> None:
        """Keep that a file was written.

        Args:
            path: The file.
            folder: Where that was done, as far as it is known.
        """
        name = normpath(join(folder, path))
        if name not in self._texts.texts:
            self.changes += 1
        self._texts.put(name, "")

    def ran(self, ran: Ran, folder: str, *, is_read: bool) -> None:
        """Keep what a command writes, and forget what it removes or may put back.

        Args:
            ran: The command.
            folder: Where it was run.
            is_read: Whether it reads a hidden file, so that what it writes may hold that.
        """
        if ran.program == "git" and not _RESTORES.isdisjoint(git_arguments(ran.words)[:1]):
            self._texts, self.changes = Texts(), self.changes + 1
        elif ran.program in ("rm", "unlink"):
            for word in ran.words[1:]:
                self._forget(normpath(join(folder, word)))
        for path in _written(ran):
            if is_read:
                self._forget(normpath(join(folder, path)))
            else:
                self.wrote(path, folder)

    def knows(self, path: str) -> Literal["same", "alike"] | None:
        """Whether a file is one of them, or may be: one of two paths ends as the other one is."""
        found = self._texts.find(path)
        if found is None:
            return None
        return "same" if found == normpath(path) else "alike"

    def _forget(self, name: str) -> None:
        if name in self._texts.texts:
            self._texts.drop(name)
            self.changes += 1


def target_of(ran: Ran) -> str:
    """The file, or folder, that a command copies or moves to; nothing of other commands."""
    words = [word for word in ran.words[1:] if not word.startswith("-")]
    if ran.program not in COPIES or len(words) < 2 or not _TO_FOLDER.isdisjoint(ran.words):
        return ""
    return words[-1]


def _written(ran: Ran) -> Iterator[str]:
    yield from ran.writes
    words = [word for word in ran.words[1:] if not word.startswith("-")]
    if ran.program == "tee" and _APPENDS.isdisjoint(ran.words):
        yield from words
    target = target_of(ran)
    if target:
        yield target
        yield from (join(target, basename(word)) for word in words[:-1])
