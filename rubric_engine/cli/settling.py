"""What is settled before a grading begins: who judges, what runs, what it may cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_engine.case import Case, Task
    from rubric_engine.cli.choosing import Choice
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.sandboxing import Box, Wanted
    from rubric_engine.isolation import Execution, RunSpec, Sandbox
    from rubric_engine.submitted import Submission


def choice(
    name: str,
    labels: Path | None,
    task: Task,
    submission: Path,
    model: Mapping[str, Any],
    *,
    dry: bool,
) -> Choice:
    """The judge: labels where there are any, else the one that was named."""
    from rubric_engine.cli.choosing import choose, replaying

    if labels is not None:
        return replaying(labels, task.rubric)
    return choose(name, submission, model, dry=dry)


def box_for(wanted: Wanted, submission: Path, case: Case, chosen: Choice, line: RunLine) -> Box:
    """The sandbox; where nobody named one, only what needs a run gets one."""
    from rubric_engine.cli.sandboxing import AUTO, NONE, Box, find_box
    from rubric_engine.errors import UsageError
    from rubric_engine.isolation import SCRIPT

    if case.execution is not None:
        if wanted.asked not in (AUTO, NONE):
            raise UsageError(
                f"{submission} was run already", fix=["leave --sandbox out   grades that run"]
            )
        return Box()

    def needed() -> bool:
        view = case.task.view
        reads_run = getattr(chosen.candidate.judge, "reads_run", True)
        has_script = any(file.path == SCRIPT for file in case.submission.files.entries)
        return reads_run and has_script and any(view.needs_run(key) for key in view.leaves())

    return find_box(wanted, submission, needed=needed, tell=line.tell)


def foreseen_run(
    box: Sandbox | None, submission: Submission, spec: RunSpec, folder: Path, *, rerun: bool = False
) -> Execution | None:
    """The run that leaves which need one will be judged by, as far as it can be known before.

    Args:
        box: The sandbox in which `reproduce.sh` will run; None where it will not.
        submission: What will be run.
        spec: How.
        folder: Folder of the runs, where earlier runs of `reproduce.sh` are kept.
        rerun: Whether it will run in any case.

    Returns:
        The earlier run that will be taken, else one that ended well and left nothing.
    """
    from rubric_engine.executed import STORE, earlier_run
    from rubric_engine.isolation import Execution
    from rubric_engine.threads import run_anywhere

    if box is None:
        return None
    supposed = Execution(status="ok", exit_code=0)
    if rerun:
        return supposed
    return run_anywhere(earlier_run(box, submission, spec, folder / STORE)) or supposed
