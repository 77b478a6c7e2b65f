"""Which entries of a submission are skipped, by patterns of a .gitignore file."""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.errors import UsageError
from rubric_engine.files import SKIP
from rubric_engine.globs import patterns


class SkipRules:
    """Patterns relative to the root.

    Args:
        skip: As in a .gitignore file; None stands for `files.SKIP`.

    Raises:
        UsageError: A pattern is not valid.
    """

    def __init__(self, skip: Sequence[str] | None = None) -> None:
        self.patterns = SKIP if skip is None else tuple(skip)
        try:
            self._spec = patterns(self.patterns)
        except ValueError as error:
            raise UsageError(
                f"the skip patterns cannot be used: {error}",
                fix=["correct `skip` in task.yaml; patterns are those of a .gitignore file"],
            ) from error

    def reason(self, path: str, *, folder: bool) -> str | None:
        """Why an entry is skipped, or None."""
        # A submodule or a worktree holds a file where a clone holds the folder `.git`.
        as_folder = folder or path.rpartition("/")[2] == ".git"
        # The patterns' regular expressions let no wildcard match a newline.
        name = path.replace("\n", "_") + ("/" if as_folder else "")
        found = self._spec.check_file(name)
        if not found.include or found.index is None:
            return None
        return f"skipped by pattern {self._spec.patterns[found.index].pattern!r}"
