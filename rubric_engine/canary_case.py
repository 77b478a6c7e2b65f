"""A case of canaries: drawn for a submission, asked about as if they were leaves of its task."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rubric_engine._content import content_folder
from rubric_engine.canary import Foreign, Known, false_here, mixed
from rubric_engine.case import Case, Task
from rubric_engine.criterion import Criterion
from rubric_engine.errors import InputError, SubmissionError
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.judge import Judge
from rubric_engine.kept.reading import read_as
from rubric_engine.lookup import shipped
from rubric_engine.settled import settled
from rubric_engine.task import load_task

CANARIES = "canaries.json"
"""The file in which a run keeps what its canaries are drawn from, beside the judge's."""

_MOST_BYTES = 20_000_000  # of the submission's texts together, that names are looked up in


@dataclass(frozen=True)
class CanaryCase:
    """Canaries, and the case in which a judge is asked about them.

    Attributes:
        case: The same submission; its rubric holds the canaries, and they alone are asked about.
        canaries: By key.
    """

    case: Case
    canaries: Mapping[str, Foreign]

    @property
    def leaves(self) -> list[Criterion]:
        """The canaries as the judge meets them."""
        return [self.case.task.rubric[key] for key in self.canaries]


def canary_pool(judge: Judge, untrusted: Path | None = None) -> tuple[Foreign, ...]:
    """The leaves that a judge's canaries are drawn from; empty where it has none.

    Args:
        judge: The judge; its card says whether, and of which tasks.
        untrusted: A submission's root; no task in it is found by name.

    Raises:
        TaskError: There is no such task.
        RubricError: Its rubric does not load.
    """
    settings = judge.card.canaries
    if settings is None or not settings.count:
        return ()
    if not settings.rubrics:
        return _shipped()
    try:
        return _leaves([load_task(name, untrusted=untrusted) for name in settings.rubrics])
    except InputError as error:
        error.message = f"canaries of {judge.card.name or judge.card.kind!r}: {error.message}"
        error.fix = (*error.fix, "or name other tasks in `canaries: {rubrics: ...}` of the card")
        raise


@cache
def _shipped() -> tuple[Foreign, ...]:
    """The leaves of the tasks that ship, which stay as they are."""
    folder = content_folder("rubrics")
    return _leaves([load_task(str(folder / name)) for name in shipped("rubrics")])


def _leaves(tasks: Sequence[Task]) -> tuple[Foreign, ...]:
    return tuple(
        Foreign(task.name, task.rubric[key]) for task in tasks for key in task.rubric.leaves()
    )


def kept_canaries(pool: tuple[Foreign, ...]) -> str:
    """A pool as the text of a file: a resume draws from the same, whatever has become of tasks."""
    return json.dumps(
        [{"task": one.task, "leaf": one.leaf.model_dump(mode="json")} for one in pool]
    )


def load_canaries(file: Path) -> tuple[Foreign, ...]:
    """Read a pool that a run kept; empty where it kept none.

    Raises:
        RunError: The file is damaged.
    """
    return tuple(read_as(file, list[Foreign])) if file.is_file() else ()


def canary_case(judge: Judge, case: Case, pool: tuple[Foreign, ...]) -> CanaryCase | None:
    """Draw the canaries of a case; None where nothing is asked of the judge, or it has none.

    Args:
        judge: The judge.
        case: What is graded. Its own prompts do not change by this.
        pool: See `canary_pool`.
    """
    settings = judge.card.canaries
    view = case.task.view
    done = settled(view, case.execution) if getattr(judge, "reads_run", True) else {}
    categories = {view[key].task_category or "" for key in view.leaves() if key not in done}
    if settings is None or not pool or not categories:
        return None
    drawn = false_here(
        pool,
        _known(case),
        categories=categories,
        seed=settings.seed,
        rubric_sha256=case.task.rubric.sha256,
        count=settings.count,
    )
    rubric, canaries = mixed(case.task.rubric, drawn)
    task = replace(case.task, rubric=rubric, category=None, only=tuple(canaries))
    return CanaryCase(replace(case, task=task), canaries)


def _known(case: Case) -> Known:
    """What stands in a case: names and texts, as far as there is room."""
    task = case.task
    texts = [task.paper, task.addendum, task.judge_addendum, *task.attachments.values()]
    known = Known("\n".join(task.rubric[key].requirements for key in task.rubric))
    known.add("\n".join(filter(None, texts)))
    if case.execution is not None and case.execution.log is not None:
        known.add(case.execution.log.text)
    known.add("\n".join(path for source in case.sources for path in source.files.readable))
    left = _MOST_BYTES
    for source, file in case.files():
        most = min(left, most_bytes(file))
        if most:
            try:
                known.add(source.read(file.path, max_bytes=most))
            except SubmissionError:
                continue
            left -= min(most, file.size)
    return known
