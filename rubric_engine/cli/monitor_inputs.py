"""What the monitor is given on the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_engine.case import Task
    from rubric_engine.cli.monitor_asked import Asked
    from rubric_engine.isolation import Execution
    from rubric_engine.monitor import Watched
    from rubric_engine.submitted import Submission

MOST_LOG = 200_000_000
"""Bytes of an agent's log."""


def watched(asked: Asked) -> Watched:
    """A submission and all that flags say of how it came about.

    Raises:
        RubricEngineError: Something of it cannot be read, or does not belong together.
    """
    from rubric_engine.case import Case
    from rubric_engine.cli.inputs import take_in
    from rubric_engine.cli.locate import find_task
    from rubric_engine.monitor import Text, Watched

    path, log = asked.submission, asked.log
    found = find_task(path, task=asked.task, rubric=asked.rubric, paper=None, command="monitor")
    handed_in, execution = take_in(path, found, None, executed=False, allow_empty=True)
    if asked.executed is not None:
        execution = _run_of(asked.executed, found, handed_in)
    text = agent_log(log) if log is not None else None
    named = Text(log.name, text) if log is not None and text is not None else None
    all_known = Watched.of(Case(found, handed_in, execution), named)
    return replace(all_known, hides_paper=asked.hides_paper or all_known.hides_paper)


def _run_of(folder: Path, task: Task, handed_in: Submission) -> Execution | None:
    """The run that a folder holds; of one that `reproduce` wrote, of this submission only."""
    from rubric_engine.cli.inputs import take_in
    from rubric_engine.errors import RunError
    from rubric_engine.executed import is_executed

    reproduced = is_executed(folder)
    ran, execution = take_in(folder, task, None, executed=not reproduced, allow_empty=True)
    if reproduced and ran.files.sha256 != handed_in.files.sha256:
        raise RunError(
            f"{folder} is a run of another submission",
            code="E584",
            looked=[
                f"it ran {ran.files.sha256[:12]}, and this one is {handed_in.files.sha256[:12]}"
            ],
            fix=[f"rubric-engine monitor {folder} --task TASK   looks at what ran"],
        )
    return execution


def require_reader(
    judge: str | None, settings: Mapping[str, Any], log: Path | None, *, dry: bool
) -> bool:
    """Whether a model is to read the log.

    Raises:
        UsageError: One is to, and there is no log; or flags of a model without a card.
    """
    from rubric_engine.errors import UsageError

    if judge is None and (settings or dry):
        raise UsageError(
            "--model, --base-url and --dry-run go with --judge", fix=["--judge monitor"]
        )
    if judge is not None and log is None:
        raise UsageError(
            "--judge has a model read the log of an agent, and there is none",
            fix=["--log FILE"],
        )
    return judge is not None


def _names_like(path: Path) -> list[str]:
    """What mends the name of a log: a file that is called nearly so, and the command to look."""
    import shlex

    from rubric_engine.near import near

    try:
        meant = near(path.name, [entry.name for entry in path.parent.iterdir()])
    except OSError:
        meant = None
    look = f"ls -l {shlex.quote(str(path.parent))}   shows what is there"
    return [meant, look] if meant else [look]


def agent_log(path: Path) -> str:
    """The text of an agent's log; what is no UTF-8 in it is replaced.

    Raises:
        InputError: It cannot be read, or has more than `MOST_LOG` bytes.
    """
    from rubric_engine.errors import InputError

    try:
        with path.open("rb") as file:
            data = file.read(MOST_LOG + 1)
    except OSError as error:
        raise InputError(
            f"the agent's log {path} cannot be read: {error.strerror}",
            code="E580",
            looked=[f"looked for the file {path.absolute()}"],
            fix=_names_like(path),
        ) from None
    if len(data) > MOST_LOG:
        raise InputError(
            f"the agent's log {path} has more than {MOST_LOG // 10**6} MB",
            code="E580",
            fix=[f"split -C {MOST_LOG // 10**6}m {path} part-   and look at each part"],
        )
    return data.decode("utf-8", "replace")
