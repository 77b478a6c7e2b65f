"""The private copy of a submission that a sandbox lets a script work on."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rubric_engine.files import FileIndex
from rubric_engine.globs import matches
from rubric_engine.isolation import SCRIPT
from rubric_engine.sandbox.history import had_history, renew_history
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.snapshot import SnapshotSubmission
from rubric_engine.submission.tree import Tree, give_mode, scan
from rubric_engine.submission.walking import walk
from rubric_engine.submission.writing import TreeWriter
from rubric_engine.submitted import Submission

_NAME = "submission"
_FOLDER, _FILE = 0o700, 0o600


class Workspace:
    """A copy in a temporary folder that lives as long as what `index` returned.

    Attributes:
        folder: The copy.
        parent: The temporary folder, which holds nothing else.

    Raises:
        StorageError: There is no room for it.
        OSError: The submission cannot be read.
    """

    def __init__(self, submission: Submission, skip: Sequence[str] | None) -> None:
        self._name = submission.name
        self._skip = skip
        self._had_history = had_history(submission.files)
        self._scratch = Scratch()
        self.parent = self._scratch.path
        self.folder = self.parent / _NAME
        self.folder.mkdir(mode=_FOLDER)
        self._status = self.folder.lstat()
        submission.export(self.folder)

    @property
    def has_script(self) -> bool:
        """Whether there is a script that is a regular file, or a link to one in the copy.

        No link of an export leads out of it; to be asked before anything runs.
        """
        try:
            script = (self.folder / SCRIPT).resolve(strict=True)
        except (OSError, RuntimeError):
            return False
        return script.is_file() and script.is_relative_to(self.folder.resolve())

    def prepare(self, outputs: Sequence[str]) -> tuple[str, ...]:
        """Remove what would count for the run, and the history; to be called before it starts.

        Args:
            outputs: Globs of results; files and links that match are removed.

        Returns:
            Their paths.
        """
        removed = self._remove(outputs)
        renew_history(self.folder, wanted=self._had_history)
        return removed

    def _remove(self, outputs: Sequence[str]) -> tuple[str, ...]:
        with TreeWriter(self.folder) as tree:
            found = [
                entry.path
                for entry in scan(tree)
                if entry.kind != "folder" and any(matches(glob, entry.path) for glob in outputs)
            ]
            for path in found:
                tree.remove_file(path)
        return tuple(sorted(found))

    def contents(self, files: FileIndex) -> frozenset[str]:
        """Hashes of all contents in the copy, also of those that the task's patterns skip.

        Args:
            files: The index of the copy as it stands.
        """
        everything = files if self._skip is None else walk(self.folder, ())
        return frozenset(file.sha256 for file in everything.entries if file.sha256 is not None)

    def index(self) -> Submission:
        """Index the copy as it stands now, whatever modes a script left.

        Where the script removed the folder or put something in its place, nothing there is
        touched or looked into, and there are no files.
        """
        if not self._in_place():
            return SnapshotSubmission(self._name, FileIndex(()), self.folder, ())
        _open_up(self.folder)
        return FolderSubmission.of(
            self.folder, name=self._name, skip=self._skip, scratch=self._scratch
        )

    def _in_place(self) -> bool:
        if not self._scratch.in_place:
            return False
        scratch = self._scratch.descriptor
        os.fchmod(scratch, _FOLDER)
        try:
            status = os.stat(_NAME, dir_fd=scratch, follow_symlinks=False)
            if not os.path.samestat(status, self._status):
                return False
            give_mode(_NAME, _FOLDER, scratch)
        except OSError:
            return False
        return True


def _open_up(folder: Path) -> None:
    """Give us back what a script may have taken: entering folders and reading files."""
    with Tree(folder) as tree:
        for entry in scan(tree):
            if entry.kind not in ("folder", "file"):
                continue
            needed = _FOLDER if entry.kind == "folder" else _FILE
            if entry.mode & needed != needed and not entry.trouble:
                parent, _, name = entry.path.rpartition("/")
                mode = stat.S_IMODE(entry.mode) | needed
                with suppress(OSError):  # not ours; the index says that it cannot be read
                    give_mode(name, mode, tree.folder(parent))
