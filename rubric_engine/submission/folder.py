"""A submission that lies in a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.files import SKIP, FileIndex
from rubric_engine.submission.export import export_tree
from rubric_engine.submission.limits import Budget, TreeLimits
from rubric_engine.submission.reading import changed, decode, look_up, read_checked
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.skipping import SkipRules
from rubric_engine.submission.tree import Tree, reason_of
from rubric_engine.submission.walking import walk


@dataclass(frozen=True, eq=False)
class FolderSubmission:
    """An indexed folder.

    Attributes:
        root: The folder.
        name: Name for people.
        files: The index.
        skip: The patterns that the index was made with.
        scratch: The temporary folder that must live as long as this, where there is one.
        limits: How much is read and copied.
        called: Name for people where the other tells them nothing.
    """

    root: Path
    name: str
    files: FileIndex = field(repr=False)
    skip: tuple[str, ...] = SKIP
    scratch: Scratch | None = field(default=None, repr=False)
    limits: TreeLimits = field(default_factory=TreeLimits, repr=False)
    called: str = ""

    @classmethod
    def of(
        cls,
        root: Path,
        *,
        name: str | None = None,
        skip: Sequence[str] | None = None,
        scratch: Scratch | None = None,
        limits: TreeLimits | None = None,
        called: str = "",
    ) -> FolderSubmission:
        """Index a folder as it stands.

        Raises:
            OSError: It is not a folder that can be read.
        """
        patterns = SKIP if skip is None else tuple(skip)
        bounds = limits or TreeLimits()
        files = walk(root, patterns, bounds)
        return cls(root, name or root.name, files, patterns, scratch, bounds, called)

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        """See `case.Submission.read`."""
        data = self.read_bytes(path, max_bytes=max_bytes)
        return decode(data, cut=len(data) < self.files[path].size)

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        """See `case.Submission.read_bytes`."""
        file = look_up(self.files, path)
        try:
            with Tree(self.root) as tree:
                descriptor = tree.open_file(path)
        except OSError as error:
            raise changed(path, reason_of(error)) from error
        try:
            return read_checked(descriptor, file, max_bytes)
        finally:
            os.close(descriptor)

    def export(self, folder: Path) -> None:
        """Copy the submission into an existing, empty folder.

        Left out are folders such as `.git`, virtual environments and caches that the index skips
        too, special files, files that are too large or cannot be read, and links that lead out.
        What only the task's own patterns skip is copied: `reproduce.sh` may need it.

        Raises:
            StorageError: The disk refuses.
        """
        indexed = {file.path: file for file in self.files.entries if file.sha256 is not None}
        # What the index holds is copied in any case: a snapshot of it must be whole.
        budget = Budget(self.limits, sum(file.size for file in indexed.values()))

        def fits(path: str, size: int) -> bool:
            known = path in indexed and indexed[path].size == size
            return known or budget.take(size)

        export_tree(self.root, folder, SkipRules(), SkipRules(self.skip), fits=fits)
