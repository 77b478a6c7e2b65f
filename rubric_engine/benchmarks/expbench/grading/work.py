"""The work of one grading: answers side by side under one cap, each kept at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.bills import cost, names_of
from rubric_engine.benchmarks.capped import Capped
from rubric_engine.benchmarks.endings import STOPS
from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer, read_answer
from rubric_engine.benchmarks.expbench.grading.answer_grading import grade_answer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question
from rubric_engine.benchmarks.expbench.grading.deciding import heeding
from rubric_engine.benchmarks.expbench.grading.marking import marked_anew, monitor_asked
from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    ExpResults,
    Mark,
    MonitorMark,
)
from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
from rubric_engine.benchmarks.expbench.grading.starting import is_graded_again, start_of
from rubric_engine.benchmarks.expbench.grading.watching import Watcher
from rubric_engine.benchmarks.parallel import side_by_side
from rubric_engine.connection import Spending
from rubric_engine.errors import BudgetError, ProviderError


@dataclass
class Work:
    """One grading, from what is kept of it to its results.

    Attributes:
        questions: The questions.
        answers: Folder of the answers.
        how: How they are graded.
        folder: Where results are kept.
        start: The results as they begin.
        concurrency: Answers that are graded at a time.
        watcher: Is told how it goes.
    """

    questions: list[Question]
    answers: Path
    how: Grading
    folder: ExpFolder
    start: ExpResults
    concurrency: int
    watcher: Watcher
    _found: dict[str, AnswerOutcome] = field(default_factory=dict)
    _cap: Capped = field(default_factory=Capped)

    async def carry_out(self) -> ExpResults:
        """Grade what is left to grade.

        Raises:
            RubricEngineError: What fails for every answer alike; what was done is kept.
        """
        kept, names = self.folder.kept(), [question.exp.id for question in self.questions]
        self._found = {name: kept[name] for name in names if name in kept}
        self.watcher.begin(names)
        self._write("running")
        self.how = replace(self.how, spending=self._shared())
        self.watcher.connected(self._cap.traffics.total)
        return await self._cap.carry_out(self._round, self.concurrency, self._write)

    def _shared(self) -> Spending:
        runs = self.how.runs
        return self._cap.shared(self.how.spending, runs, names_of(runs, self.start.run))

    async def _round(self, width: int) -> None:
        slots = asyncio.Semaphore(width)
        async with side_by_side() as grading:
            for each in self.questions:
                grading.create_task(self._one(each, slots))

    async def _one(self, question: Question, slots: asyncio.Semaphore) -> None:
        async with slots:
            if self._cap.is_stopped:
                return
            place = self.answers / question.exp.folder
            answer = await asyncio.to_thread(read_answer, place)
            start = start_of(question, answer, self.how)
            before = self._found.get(start.task)
            again = self.how.spending.retry_failed
            if before is None or is_graded_again(before, start, retry_failed=again):
                await self._grade(question, answer, start)
            elif _is_marked_anew(question, before):
                runs = self.how.runs
                self._enter(await asyncio.to_thread(marked_anew, question, answer, before, runs))
            else:
                self.watcher.graded(before)

    async def _grade(self, question: Question, answer: ExpAnswer, start: AnswerOutcome) -> None:
        found = start
        if not answer.is_empty:
            name = f"{self.start.run}-{question.exp.folder}-{start.digest[:8]}"
            named = start.model_copy(update={"run": name})
            try:
                found = await grade_answer(question, answer, named, self.how)
            except (BudgetError, ProviderError) as error:
                self._cap.stop(error.exit_code, f"{error.code} {error.message}")
                return
        self._enter(found)
        if found.exit_code in STOPS:
            self._cap.stop(found.exit_code, found.trouble or "")

    def _enter(self, found: AnswerOutcome) -> None:
        self._found[found.task] = found
        self.folder.keep(found)
        self.watcher.graded(found)

    def _write(self, status: Any) -> ExpResults:
        found = (self._found.get(q.exp.id) or _waiting(q) for q in self.questions)
        answers = tuple(heeding(answer, self.how.runs) for answer in found)
        codes = {answer.exit_code for answer in answers}
        results = self.start.model_copy(
            update={
                "status": status,
                "answers": answers,
                "stopped": self._cap.why,
                "exit_code": self._cap.exit_code(codes),
                "cost": cost(self.how.runs, names_of(self.how.runs, self.start.run)),
            }
        )
        self.folder.write(results)
        return results


def _is_marked_anew(question: Question, before: AnswerOutcome) -> bool:
    """Whether the task says something else of the monitor by now; that judges nothing anew."""
    return bool(before.leaves) and before.monitor.asked != monitor_asked(question.task)


def _waiting(question: Question) -> AnswerOutcome:
    """The outcome of a question that nobody came to."""
    exp, why = question.exp, "the grading ended before it"
    return AnswerOutcome(
        task=exp.id,
        paper=f"{exp.conference}/{exp.paper_id}",
        kind=exp.kind,
        missing={"D": why, "I": why, "C": why},
        execution=Mark(why=why),
        monitor=MonitorMark(why=why),
    )
