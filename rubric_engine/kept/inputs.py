"""The list of what a resume builds on: `resume.json`, written once all of it is kept.

It holds the hash of every file and a seal over them. So a run that was stopped before its inputs
were whole, one that somebody else handed in, and one that was changed are told apart from ours.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from rubric_engine.errors import RunError
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.kept.ran import load_kept_execution
from rubric_engine.kept.reading import read_as
from rubric_engine.rundir import RunFolder
from rubric_engine.state import seal
from rubric_engine.submission import load_snapshot
from rubric_engine.submitted import Submission

LIST = "resume.json"
JUDGE = "judge"
AGENT_LOG = "agent.log"
_FILES = (
    *("task.json", "rubric.json", "handed_in.json", "execution.json", "executed.json"),
    AGENT_LOG,
)


def keyed(variables: Mapping[str, str]) -> str | None:
    """Keyed hash of variables that are nobody's business; None where no secret can be kept."""
    return seal("environment", json.dumps(dict(variables), sort_keys=True))


class Caps(BaseModel):
    """Of `connection.Spending`, what holds over all resumes of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)

    max_cost: float | None
    max_tokens: int | None
    fresh: bool


class Inputs(BaseModel):
    """What a resume builds on, beside the files.

    Attributes:
        fingerprint: Of the judge.
        settings: How `reproduce.sh` is run.
        sandbox: Name of the sandbox that was asked for, or None.
        place: Which engine and recipe it has, where it has them.
        environment: Keyed hash of the variables for the script alone, where there are any.
        given: Whether an execution was given, in place of a sandbox.
        caps: What the run may spend.
        files: Hash of each file that is kept.
        mark: The seal.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprint: str
    settings: RunSpec
    sandbox: str | None
    place: dict[str, str | None] = {}
    environment: str | None = None
    given: bool
    caps: Caps
    files: dict[str, str] = {}
    mark: str | None = None

    def sealed(self, run: Path) -> Self:
        """The same over the files as they are now."""
        files = {name: _hash(run / name) for name in _names(run)}
        return self.model_copy(update={"files": files}).marked(run)

    def marked(self, run: Path) -> Self:
        """The same with the seal that fits what it says, its files as they were listed."""
        bare = self.model_copy(update={"mark": None})
        return bare.model_copy(update={"mark": bare._seal(run)})

    def is_current(self, run: Path) -> bool:
        """Whether the list that the run holds now is this one."""
        return read_as(run / LIST, Inputs).mark == self.mark

    def _seal(self, run: Path) -> str | None:
        content = self.model_dump(mode="json", exclude={"mark"})
        return seal("resume", run.resolve().name, json.dumps(content, sort_keys=True))

    def execution(self, run: Path) -> Execution | None:
        """The run of `reproduce.sh` that was kept; None where there is none that counts.

        Raises:
            RunError: It is damaged.
        """
        if not {"execution.json", "executed.json"} <= self.files.keys():
            return None
        kept = load_kept_execution(run)
        return kept if kept is not None and kept.usable else None

    def agent_log(self, run: Path) -> str | None:
        """The log of the agent that made the submission, where one was given."""
        if AGENT_LOG not in self.files:
            return None
        return (run / AGENT_LOG).read_bytes().decode("utf-8", "surrogatepass")

    def handed_in(self, run: Path) -> Submission:
        """The submission that was kept."""
        return load_snapshot(run, "handed_in")


def write_inputs(run: RunFolder, inputs: Inputs, *, durable: bool) -> None:
    """Write the list over the files as they are now.

    Args:
        run: The run.
        inputs: What stands beside the files.
        durable: Whether all of it must outlive a power cut, as where calls are paid for.
    """
    if durable:
        os.sync()  # one call for the thousands of files that a submission may have
    run.write(LIST, inputs.sealed(run.path).model_dump(mode="json"))


def write_again(run: RunFolder, inputs: Inputs) -> None:
    """Write the list of a run whose files are those that were listed."""
    run.write(LIST, inputs.marked(run.path).model_dump(mode="json"))


def read_inputs(run: Path) -> Inputs:
    """Read the list, and make sure of every file in it.

    Raises:
        RunError: The run kept too little, is not ours, or was changed.
    """
    if not (run / LIST).is_file():
        raise RunError(
            f"{run} cannot be resumed: it ended before its inputs were kept",
            code="E526",
            looked=[f"looked for {run / LIST}"],
            fix=["rubric-engine grade SUBMISSION ...   pays for no call twice"],
        )
    inputs = read_as(run / LIST, Inputs)
    if inputs.mark is None or inputs.mark != inputs._seal(run):
        raise RunError(
            f"{run} cannot be resumed: you did not make it, or it was changed or renamed since",
            code="E526",
            fix=["rubric-engine grade SUBMISSION ...   makes a run of your own"],
        )
    for name, sha256 in inputs.files.items():
        if not (run / name).is_file() or _hash(run / name) != sha256:
            raise RunError(
                f"{run} cannot be resumed: {name} was changed since",
                code="E526",
                fix=["rubric-engine grade SUBMISSION ...   starts a new run"],
            )
    return inputs


def _names(run: Path) -> Iterator[str]:
    yield from (name for name in _FILES if (run / name).is_file())
    for path in sorted((run / JUDGE).rglob("*")):
        if path.is_file():
            yield path.relative_to(run).as_posix()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
