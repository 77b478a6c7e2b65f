"""A run as the rules on faked results see it: which files it should have made, and what it made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rubric_engine.case import Task
from rubric_engine.files import File, is_source
from rubric_engine.globs import matches
from rubric_engine.isolation import Execution
from rubric_engine.submitted import Submission


@dataclass(frozen=True)
class Run:
    """A task, what was handed in, and its run.

    Attributes:
        task: The task.
        handed_in: The submission.
        execution: Its run.
    """

    task: Task
    handed_in: Submission
    execution: Execution

    @cached_property
    def executed(self) -> Submission | None:
        """What the run left, where it was kept."""
        return self.execution.submission

    def is_output(self, path: str) -> bool:
        """Whether a file is one that the run should make; without globs, no source is refused."""
        if self.task.outputs:
            return any(matches(glob, path) for glob in self.task.outputs)
        return not is_source(path)

    @cached_property
    def made(self) -> frozenset[str]:
        """What the run made or changed, copies included."""
        return frozenset(self.execution.created).union(self.execution.modified)

    @cached_property
    def outputs(self) -> tuple[File, ...]:
        """Files that the run should make and that are there after it."""
        if self.executed is None:
            return ()
        return tuple(file for file in self.executed.files if self.is_output(file.path))

    def copies(self) -> Iterator[tuple[File, File]]:
        """Outputs that repeat another file that was handed in, each with that file.

        One that came out as it stood at its own place is none: whoever runs again what is
        deterministic gets what there was.
        """
        by_hash: dict[str, list[File]] = {}
        for file in self.handed_in.files:
            if file.sha256 is not None:
                by_hash.setdefault(file.sha256, []).append(file)
        for file in self.outputs:
            same = by_hash.get(file.sha256 or "", [])
            again = any(one.path == file.path for one in same)
            if file.path in self.execution.copied and same and not again:
                yield file, same[0]
