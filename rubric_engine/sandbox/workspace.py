"""The private copy of a submission that a sandbox lets a script work on."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rubric_engine.case import Submission
from rubric_engine.globs import matches
from rubric_engine.isolation import SCRIPT
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch, remove_tree
from rubric_engine.submission.tree import Tree, scan
from rubric_engine.submission.writing import TreeWriter

_FOLDER, _FILE = 0o700, 0o600


class Workspace:
    """A copy in a temporary folder that lives as long as what `index` returned.

    Attributes:
        folder: The copy.

    Raises:
        StorageError: There is no room for it.
        OSError: The submission cannot be read.
    """

    def __init__(self, submission: Submission, skip: Sequence[str] | None) -> None:
        self._name = submission.name
        self._skip = skip
        self._scratch = Scratch()
        self.folder = self._scratch.path / "submission"
        self.folder.mkdir(mode=_FOLDER)
        self._identity = self._identify()
        submission.export(self.folder)

    @property
    def has_script(self) -> bool:
        """Whether there is a script that is a regular file."""
        try:
            return stat.S_ISREG((self.folder / SCRIPT).lstat().st_mode)
        except FileNotFoundError:
            return False

    def remove(self, outputs: Sequence[str]) -> tuple[str, ...]:
        """Remove the files and links that one of the globs names; returns their paths."""
        with TreeWriter(self.folder) as tree:
            found = [
                entry.path
                for entry in scan(tree)
                if entry.kind != "folder" and any(matches(glob, entry.path) for glob in outputs)
            ]
            for path in found:
                tree.remove_file(path)
        return tuple(sorted(found))

    def index(self) -> FolderSubmission:
        """Index the copy as it stands now, whatever modes a script left."""
        self._scratch.path.mkdir(mode=_FOLDER, exist_ok=True)
        self._scratch.path.chmod(_FOLDER)
        if self._identify() != self._identity:
            self._start_over()
        _open_up(self.folder)
        return FolderSubmission.of(
            self.folder, name=self._name, skip=self._skip, scratch=self._scratch
        )

    def _identify(self) -> tuple[int, int] | None:
        try:
            status = self.folder.lstat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _start_over(self) -> None:
        """Make the folder again, empty: the script removed it or put something in its place."""
        if self.folder.is_dir() and not self.folder.is_symlink():
            remove_tree(self.folder)
        self.folder.unlink(missing_ok=True)
        self.folder.mkdir(mode=_FOLDER)
        self._identity = self._identify()


def _open_up(folder: Path) -> None:
    """Give us back what a script may have taken: entering folders and reading files."""
    folder.chmod(_FOLDER)
    with Tree(folder) as tree:
        for entry in scan(tree):
            if entry.kind not in ("folder", "file"):
                continue
            needed = _FOLDER if entry.kind == "folder" else _FILE
            if entry.mode & needed != needed:
                parent, _, name = entry.path.rpartition("/")
                mode = stat.S_IMODE(entry.mode) | needed
                with suppress(OSError):  # not ours; the index says that it cannot be read
                    os.chmod(name, mode, dir_fd=tree.folder(parent))
