"""The warnings of a run: what a reader should know beside the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rubric_engine.grading import Grade, Reason
from rubric_engine.isolation import Execution
from rubric_engine.rubric import Rubric


class RunWarning(NamedTuple):
    """Something a reader should know; never an error."""

    code: str
    message: str


_OF_REASON: Mapping[Reason, tuple[str, str]] = {
    "needs_model": ("W201", "left open, this judge cannot grade what has no check"),
    "not_run": ("W202", "open, for it takes a run of reproduce.sh and there was none"),
    "rubric_error": ("W203", "a check is wrong in the rubric itself"),
    "check_limit": ("W204", "a check passed its limit of time or memory"),
    "infra": ("W205", "not graded, because a tool failed"),
    "cancelled": ("W206", "not graded, the run was stopped before"),
}


def _leaves(number: int) -> str:
    return "1 leaf" if number == 1 else f"{number} leaves"


def of_rubric(rubric: Rubric) -> Iterator[RunWarning]:
    """What the loader found odd in the rubric and let pass."""
    return (RunWarning("W210", warning) for warning in rubric.warnings)


def of_execution(execution: Execution | None) -> Iterator[RunWarning]:
    """How the run of `reproduce.sh` ended, where it did not end well."""
    if execution is None:
        return
    match execution.status:
        case "no_script":
            yield RunWarning("W302", "there is no reproduce.sh: every leaf that needs a run is 0")
        case "failed":
            yield RunWarning("W303", f"reproduce.sh failed with exit code {execution.exit_code}")
        case "timeout":
            seconds = f"{execution.duration_s or 0:.1f} s"
            yield RunWarning("W304", f"reproduce.sh was stopped at its time limit, after {seconds}")
        case "declared":
            yield RunWarning("W305", "the run of reproduce.sh was made elsewhere, taken on trust")


def of_receipts(grades: Mapping[str, Grade], unranked: Mapping[str, str]) -> Iterator[RunWarning]:
    """How many leaves were shown other files than meant, as a model did not rank them.

    Args:
        grades: The grades.
        unranked: By hash of a receipt, why.
    """
    reasons = Counter(unranked.get(grade.receipt or "", "") for grade in grades.values())
    for reason in sorted(filter(None, reasons)):
        yield RunWarning(
            "W214",
            f"{_leaves(reasons[reason])}: the model did not rank the files ({reason}), so those "
            "that share most words with the criteria were shown",
        )


def of_grades(rubric: Rubric, grades: Mapping[str, Grade]) -> Iterator[RunWarning]:
    """How many leaves are open, and why; a leaf that is left out counts as not run."""
    open_leaf = Grade.ungradeable("not_run")
    reasons = {key: grades.get(key, open_leaf).reason for key in rubric.leaves()}
    for reason, (code, text) in _OF_REASON.items():
        keys = [key for key, found in reasons.items() if found == reason]
        if keys:
            points = 100 * sum(rubric.worth(key) for key in keys)
            yield RunWarning(code, f"{_leaves(len(keys))} ({points:.1f} points): {text}")
