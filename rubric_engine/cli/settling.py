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
    from rubric_engine.connection import Spending
    from rubric_engine.isolation import Execution, Sandbox


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
            raise UsageError(f"{submission} was run already; leave --sandbox out")
        return Box()

    def needed() -> bool:
        view = case.task.view
        reads_run = getattr(chosen.candidate.judge, "reads_run", True)
        has_script = any(file.path == SCRIPT for file in case.submission.files.entries)
        return reads_run and has_script and any(view.needs_run(key) for key in view.leaves())

    return find_box(wanted, submission, needed=needed, tell=line.tell)


def supposed(box: Sandbox | str | None) -> Execution | None:
    """A run that ended well and left nothing, to foresee what leaves that need one would cost.

    Args:
        box: The sandbox in which `reproduce.sh` will run, or its name; None where it will not.
    """
    from rubric_engine.isolation import Execution

    return None if box is None else Execution(status="ok", exit_code=0)


def foretell(chosen: Choice, case: Case, folder: Path, spending: Spending, *, as_json: bool) -> int:
    """Print what the grading would take."""
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.dry_run import foresee

    foresight = foresee(chosen.candidate, case, runs=folder, spending=spending)
    print_foresight(foresight, as_json=as_json, remark=chosen.why)
    return 0
