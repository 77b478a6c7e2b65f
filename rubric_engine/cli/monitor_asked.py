"""What `monitor` was asked to look at, and the command that asks for the same and for more."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Asked:
    """What flags say of what is looked at.

    Attributes:
        submission: Its path.
        task: Value of `--task`.
        rubric: Value of `--rubric`.
        log: Value of `--log`.
        executed: Value of `--executed`.
        hides_paper: Whether the paper's PDF is hidden, whatever the task says.
        judge: Value of `--judge`.
        model: Value of `--model`.
        base_url: Value of `--base-url`.
    """

    submission: Path
    task: str | None = None
    rubric: Path | None = None
    log: Path | None = None
    executed: Path | None = None
    hides_paper: bool = False
    judge: str | None = None
    model: str | None = None
    base_url: str | None = None

    def command(self, *, executed: str) -> str:
        """The command that looks at the same, and at what a run left."""
        more = replace(self, executed=Path(executed))
        return shlex.join(["rubric-engine", "monitor", str(self.submission), *more._flags()])

    def run_command(self, folder: str, *, local: bool) -> str:
        """The command that makes the run.

        Args:
            folder: Where it is to be kept.
            local: Whether it is run here, as there is no Docker.
        """
        task = ["--task", self.task] if self.task is not None else []
        where = ["--sandbox", "local"] if local else []
        words = ["rubric-engine", "reproduce", str(self.submission), *task, "-o", folder, *where]
        return shlex.join(words) + ("   runs here, NOT isolated" if local else "")

    def _flags(self) -> list[str]:
        values = {
            "--task": self.task,
            "--rubric": self.rubric,
            "--log": self.log,
            "--executed": self.executed,
            "--judge": self.judge,
            "--model": self.model,
            "--base-url": self.base_url,
        }
        given = [word for flag, value in values.items() if value for word in (flag, str(value))]
        return [*given, *(["--paper-hidden"] if self.hides_paper else [])]
