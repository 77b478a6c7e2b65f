"""What grading answers would take: every prompt about every answer is made, and none is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.answer import read_answer
from rubric_engine.benchmarks.expbench.grading.answer_grading import task_for
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question, card_for
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
from rubric_engine.benchmarks.expbench.grading.starting import is_graded_again, start_of
from rubric_engine.benchmarks.expbench.grading.submitting import submit_answer
from rubric_engine.benchmarks.foreseeing import foresee_judging
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.dry_run import Foresight, Promised, together
from rubric_engine.submission import load_submission


def foresee_grading(
    questions: Sequence[Question],
    answers: Path,
    how: Grading,
    kept: Mapping[str, AnswerOutcome],
) -> Foresight:
    """Price the calls that a grading would make; those on record are not counted.

    A run makes files that a judge may be shown: what they take is not in it.

    Args:
        questions: The questions.
        answers: Folder of the answers.
        how: How they would be graded.
        kept: What is kept of the answers, by question; what is done with is not foreseen.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
    """
    return together(list(_each(questions, answers, how, kept)))


def _each(
    questions: Sequence[Question],
    answers: Path,
    how: Grading,
    kept: Mapping[str, AnswerOutcome],
) -> Iterator[Foresight]:
    promised, again = Promised(), how.spending.retry_failed
    candidate = load_candidate(card_for(how.judge), model=how.settings)
    for question in questions:
        answer = read_answer(answers / question.exp.folder)
        start = start_of(question, answer, how)
        before = kept.get(start.task)
        if before is not None and not is_graded_again(before, start, retry_failed=again):
            continue
        task = task_for(question.task, start, runs=False)
        if answer.is_empty or task is None:
            continue
        same = before is not None and before.digest == start.digest
        run = before.run if before is not None and same else None
        submitted = submit_answer(answer, question.base, question.exp.folder)
        case = Case(task, load_submission(submitted.folder, skip=task.skip))
        yield foresee_judging(candidate, case, how, promised, run=run)
