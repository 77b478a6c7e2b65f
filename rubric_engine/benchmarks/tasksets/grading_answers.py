"""Judging one answer: it becomes a submission, its task a rubric, and the engine grades it."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.tasksets.as_rubric import engine_task
from rubric_engine.benchmarks.tasksets.judging import card_for, model_for
from rubric_engine.benchmarks.tasksets.results import AnswerResult, LeafResult
from rubric_engine.benchmarks.tasksets.submitting import submit
from rubric_engine.benchmarks.tasksets.task import SetTask
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.engine import agrade
from rubric_engine.errors import InputError
from rubric_engine.grading import Grade
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.model import ChatModel
from rubric_engine.past import read_past
from rubric_engine.result import Report
from rubric_engine.resuming import aresume
from rubric_engine.rundir import holds_run

EXIT_INCOMPLETE = 5
_MOST_TRIES = 1000


@dataclass(frozen=True)
class Judging:
    """How answers are judged.

    Attributes:
        judge: Name or path of the card of the judge that is asked what rules cannot tell.
        model: Settings of its model in place of its card's, or a model of one's own.
        runs: Folder of the runs and the ledger.
        spending: What may be spent.
    """

    judge: str = "answers"
    model: Mapping[str, Any] | ChatModel = field(default_factory=dict)
    runs: Path = Path("runs")
    spending: Spending = NO_LIMIT


async def grade_answer(
    task: SetTask, texts: Mapping[str, str], answer: AnswerResult, folder: Path, how: Judging
) -> AnswerResult:
    """Judge an answer, or go on where judging it was stopped.

    Args:
        task: The task.
        texts: Text of each resource, by its path.
        answer: The answer; its `run` is the name that the run has or gets.
        folder: Where the answer is written.
        how: How.

    Returns:
        The answer with its score. Where the answer cannot be judged, it says why.

    Raises:
        RubricEngineError: What would fail for every other answer as well.
    """
    assert answer.run is not None
    try:
        report = await _report(task, texts, answer, folder, how)
    except InputError as error:
        said = {"finished": True, "trouble": f"{error.code} {error.message}"}
        return answer.model_copy(update=said | {"exit_code": EXIT_INCOMPLETE})
    stop = report.stopped
    failed = EXIT_INCOMPLETE if report.failed else 0
    return answer.model_copy(
        update={
            "score": report.score,
            "leaves": tuple(leaves_of(report)),
            "run": Path(report.run).name if report.run else None,
            "finished": stop is None,
            "trouble": f"{stop.code} {stop.message}" if stop else None,
            "exit_code": stop.exit_code if stop else failed,
        }
    )


async def _report(
    task: SetTask, texts: Mapping[str, str], answer: AnswerResult, folder: Path, how: Judging
) -> Report:
    own = how.model if isinstance(how.model, ChatModel) else None
    run = _run(how.runs / str(answer.run))
    if is_file(run / LIST):
        past = await asyncio.to_thread(read_past, run)
        again = how.spending.retry_failed
        return await aresume(past, spending=how.spending, retry_failed=again, model=own)
    given = {} if isinstance(how.model, ChatModel) else how.model
    return await agrade(
        engine_task(task, texts),
        submit(answer.text, task.expected_output, folder),
        judge=card_for(task, how.judge),
        model=own if own is not None else model_for(task, given),
        run_dir=run,
        spending=how.spending,
    )


def _run(first: Path) -> Path:
    """The folder of the run: one that can be gone on with, or one that is free.

    A run that was killed before its inputs were kept has graded nothing, and is left alone.
    """
    for number in range(1, _MOST_TRIES):
        place = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if is_file(place / LIST) or not holds_run(place):
            return place
    return first


def leaves_of(report: Report) -> list[LeafResult]:
    """What was judged of an answer, leaf by leaf."""
    rubric = report.rubric
    return [
        _leaf(key, rubric[key].task_category or "", rubric.worth(key), report.grades[key])
        for key in rubric.leaves()
    ]


def _leaf(key: str, category: str, worth: float, grade: Grade) -> LeafResult:
    return LeafResult(
        key=key,
        category=category,
        worth=worth,
        score=grade.score,
        samples=grade.samples,
        sd=statistics.stdev(grade.samples) if len(grade.samples) > 1 else None,
        reason=grade.reason,
    )
