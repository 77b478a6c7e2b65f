"""All that a judge may read: a `Task` (paper, rubric, settings) and a `Submission` to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rubric_engine.files import File
from rubric_engine.isolation import Execution, Limits, Network, RunSpec
from rubric_engine.monitored import MonitorSettings
from rubric_engine.rubric import Rubric
from rubric_engine.submitted import Submission


@dataclass(frozen=True)
class Task:
    """What is asked: a rubric, the paper behind it, and settings.

    Attributes:
        name: Short name, used in the names of runs.
        rubric: The tree.
        title: Title for people.
        paper: Text of the paper, or None.
        addendum: Clarifications that submitters were given as well.
        judge_addendum: Clarifications for judges only.
        attachments: Further texts for the judge, by name.
        blacklist: Repositories that a submission must not use.
        mode: Name of the way of grading, so that unlike results can be told apart.
        skip: Patterns, as in .gitignore, of what is skipped; None stands for `files.SKIP`.
        network: Network policy of a run.
        outputs: Globs of the files that a run should produce.
        limits: Limits of a run, or None for the sandbox's own.
        monitor: What the task says of the monitor.
        category: The only category of leaves that is graded, or None for all.
        only: Keys of the only leaves that are graded, or None for all.
        found_in: Folder where a bare name was looked up; None where a path was given.
        case: The labelled case that is graded where a judge is measured; else None.
    """

    name: str
    rubric: Rubric
    title: str | None = None
    paper: str | None = None
    addendum: str | None = None
    judge_addendum: str | None = None
    attachments: dict[str, str] = field(default_factory=dict)
    blacklist: tuple[str, ...] = ()
    mode: str = "full"
    skip: tuple[str, ...] | None = None
    network: Network = "none"
    outputs: tuple[str, ...] = ()
    limits: Limits | None = None
    monitor: MonitorSettings = field(default_factory=MonitorSettings)
    category: str | None = None
    only: tuple[str, ...] | None = None
    found_in: Path | None = None
    case: str | None = None

    @cached_property
    def view(self) -> Rubric:
        """The part of the rubric that is graded; judges see all of it as context."""
        view = self.rubric
        if self.category is not None:
            view = view.subset(category=self.category)
        return view if self.only is None else view.keep(self.only)

    @property
    def spec(self) -> RunSpec:
        """How a submission to the task is run."""
        return RunSpec(
            limits=self.limits or Limits(),
            outputs=self.outputs,
            skip=self.skip,
            network=self.network,
        )

    @property
    def paper_sha256(self) -> str | None:
        """Hash of the paper, its addenda and attachments; None where there is no paper."""
        if self.paper is None:
            return None
        parts = [self.paper, self.addendum or "", self.judge_addendum or ""]
        parts += [text for item in sorted(self.attachments.items()) for text in item]
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()


@dataclass(frozen=True)
class Case:
    """A submission to a task, with the run of its `reproduce.sh` if there was one."""

    task: Task
    submission: Submission
    execution: Execution | None = None

    @property
    def sources(self) -> tuple[Submission, ...]:
        """The submission as handed in, and what its run left of it."""
        executed = self.execution.submission if self.execution is not None else None
        return (self.submission,) if executed is None else (self.submission, executed)

    def files(self) -> list[tuple[Submission, File]]:
        """Every readable file with where it lies, once, and once more where the run changed it.

        The small ones come first: who reads a limited number of bytes lets no few large files
        keep all others from being read.
        """
        once: dict[tuple[str, str | None], tuple[Submission, File]] = {}
        for source in self.sources:
            for file in source.files:
                once.setdefault((file.path, file.sha256), (source, file))
        return sorted(once.values(), key=lambda each: each[1].size)
