"""The warnings of a run: what a reader should know beside the score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rubric_engine.case import Case
from rubric_engine.grading import Grade, Reason
from rubric_engine.isolation import Execution
from rubric_engine.result import Notice

_OF_REASON: tuple[tuple[Reason, str, str], ...] = (
    ("needs_model", "W201", "have no check; a judge that asks a model could grade them"),
    ("not_run", "W202", "need a run of reproduce.sh, and nobody ran it"),
    ("rubric_error", "W203", "have a check that is wrong in the rubric itself"),
    ("check_limit", "W204", "have a check that passed its limit of time or memory"),
    ("infra", "W205", "could not be graded because a tool failed"),
)


def notices(case: Case, grades: Mapping[str, Grade]) -> Iterator[Notice]:
    """Yield the warnings of a graded case, the rubric's own first."""
    yield from (Notice("W210", warning) for warning in case.task.rubric.warnings)
    if case.execution is not None:
        yield from _of_execution(case.execution)
    for reason, code, text in _OF_REASON:
        keys = [key for key, grade in grades.items() if grade.reason == reason]
        if keys:
            points = 100 * sum(case.task.rubric.worth(key) for key in keys)
            yield Notice(code, f"{len(keys)} leaves ({points:.1f} points) {text}")


def _of_execution(execution: Execution) -> Iterator[Notice]:
    match execution.status:
        case "no_script":
            yield Notice("W302", "there is no reproduce.sh: every leaf that needs a run is 0")
        case "failed":
            yield Notice("W303", f"reproduce.sh failed with exit code {execution.exit_code}")
        case "timeout":
            yield Notice("W304", f"reproduce.sh was stopped at its limit: {execution.duration_s} s")
        case "declared":
            yield Notice("W305", "the run of reproduce.sh was made elsewhere and is taken on trust")
