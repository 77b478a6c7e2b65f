"""HowJudged one answer: it becomes a submission, its task a rubric, and the engine grades it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from rubric_engine.benchmarks.judging import HowJudged, ending, judged
from rubric_engine.benchmarks.tasksets.as_rubric import engine_task
from rubric_engine.benchmarks.tasksets.judging import card_for, model_for
from rubric_engine.benchmarks.tasksets.results import AnswerResult, LeafResult
from rubric_engine.benchmarks.tasksets.submitting import submit
from rubric_engine.benchmarks.tasksets.task import SetTask
from rubric_engine.engine import agrade
from rubric_engine.errors import EXIT_INCOMPLETE, InputError
from rubric_engine.grading import Grade
from rubric_engine.result import Report


async def grade_answer(
    task: SetTask, texts: Mapping[str, str], answer: AnswerResult, folder: Path, how: HowJudged
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
    found = {"score": report.score, "leaves": tuple(leaves_of(report))}
    return answer.model_copy(update=found | ending(report))


async def _report(
    task: SetTask, texts: Mapping[str, str], answer: AnswerResult, folder: Path, how: HowJudged
) -> Report:
    async def begin(run: Path) -> Report:
        return await agrade(
            engine_task(task, texts),
            submit(answer.text, task.expected_output, folder),
            judge=card_for(task, how.judge),
            model=how.own if how.own is not None else model_for(task, how.settings),
            run_dir=run,
            spending=how.spending,
        )

    return await judged(str(answer.run), how, begin)


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
