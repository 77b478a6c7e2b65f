"""Leaves whose grade no judge is asked for, because `reproduce.sh` was not run, or could not be."""

from __future__ import annotations

from rubric_engine.endings import no_outcome
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
from rubric_engine.rubric import Rubric


def settled(rubric: Rubric, execution: Execution | None) -> dict[str, Grade]:
    """Grades of the leaves that need a run which there was not.

    Args:
        rubric: The rubric to be graded.
        execution: The run of `reproduce.sh`, or None where nobody tried one.

    Returns:
        Grade by key: `not_run` without a run; 0 where a sandbox found no `reproduce.sh` to run;
        `infra` or `cancelled` where the run broke for reasons that are not, or may not be, the
        submission's.
    """
    grade = _without_run(execution)
    if grade is None:
        return {}
    return {key: grade for key in rubric.leaves() if rubric.needs_run(key)}


def _without_run(execution: Execution | None) -> Grade | None:
    if execution is None:
        return Grade.ungradeable("not_run", "this leaf needs a run of reproduce.sh; nobody ran it")
    if execution.status == "no_script":
        return Grade.graded(0.0, "the submission has no reproduce.sh, so nothing could be run")
    if execution.status == "cancelled":
        return Grade.ungradeable("cancelled", no_outcome(execution))
    if not execution.usable:
        return Grade.ungradeable("infra", no_outcome(execution))
    return None
