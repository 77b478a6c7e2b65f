"""What grading answers would take: every prompt about every answer is made, and none is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.grading.answer import read_answer
from rubric_engine.benchmarks.expbench.grading.answer_grading import task_for
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question, card_for
from rubric_engine.benchmarks.expbench.grading.starting import start_of
from rubric_engine.benchmarks.expbench.grading.submitting import submit_answer
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.dry_run import Foresight, Promised, foresee, together
from rubric_engine.submission import load_submission


def foresee_grading(
    questions: Sequence[Question],
    answers: Path,
    *,
    judge: str,
    model: Mapping[str, Any],
    runs: Path,
    spending: Spending = NO_LIMIT,
) -> Foresight:
    """Price the calls about answers; those on record are not counted.

    A run makes files that a judge may be shown: what they take is not in it.

    Args:
        questions: The questions.
        answers: Folder of the answers.
        judge: Name or path of the judge's card.
        model: Settings of its model in place of its card's.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
    """
    return together(list(_each(questions, answers, judge, model, runs, spending)))


def _each(
    questions: Sequence[Question],
    answers: Path,
    judge: str,
    model: Mapping[str, Any],
    runs: Path,
    spending: Spending,
) -> Iterator[Foresight]:
    promised, how = Promised(), Grading(judge, model)
    candidate = load_candidate(card_for(judge), model=model)
    for question in questions:
        answer = read_answer(answers / question.exp.folder)
        task = task_for(question.task, start_of(question, answer, how), runs=False)
        if answer.is_empty or task is None:
            continue
        submitted = submit_answer(answer, question.base, question.exp.folder)
        case = Case(task, load_submission(submitted.folder, skip=task.skip))
        yield foresee(candidate, case, runs=runs, spending=spending, promised=promised)
