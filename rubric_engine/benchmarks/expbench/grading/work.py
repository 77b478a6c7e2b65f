"""The work of one grading: answers side by side under one cap, each kept at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.bills import cost, earlier, names_of
from rubric_engine.benchmarks.endings import STOPS, cancelled, exit_code
from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer, read_answer
from rubric_engine.benchmarks.expbench.grading.answer_grading import grade_answer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question
from rubric_engine.benchmarks.expbench.grading.deciding import heeding
from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    ExpResults,
    Mark,
    MonitorMark,
)
from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
from rubric_engine.benchmarks.expbench.grading.starting import start_of
from rubric_engine.benchmarks.expbench.grading.watcher import Watcher
from rubric_engine.benchmarks.traffics import Traffics
from rubric_engine.connection import Spending, Together
from rubric_engine.errors import BudgetError, ProviderError
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED


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
    _stops: dict[int, str] = field(default_factory=dict)
    _traffics: Traffics = field(default_factory=Traffics)

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
        try:
            await self._round(self.concurrency)
            if self._stops.keys() == {BudgetError.exit_code}:
                # What others had set aside may have been in the way; it is given back by now.
                self._stops = {}
                await self._round(1)
        except BaseException:
            self._write("stopped")
            raise
        return self._write("stopped" if self._stops else "done")

    def _shared(self) -> Spending:
        given, runs = self.how.spending, self.how.runs
        before = earlier(runs, names_of(runs, self.start.run))
        together = Together.under(given.max_cost, given.max_tokens, before)
        self.watcher.connected(self._traffics.total)
        return replace(given, together=together, watch=self._traffics.add)

    async def _round(self, width: int) -> None:
        slots = asyncio.Semaphore(width)
        under_way = [asyncio.create_task(self._one(each, slots)) for each in self.questions]
        try:
            await asyncio.gather(*under_way)
        except BaseException:
            await cancelled(under_way)
            raise

    async def _one(self, question: Question, slots: asyncio.Semaphore) -> None:
        async with slots:
            if self._stops:
                return
            place = self.answers / question.exp.folder
            answer = await asyncio.to_thread(read_answer, place)
            start = start_of(question, answer, self.how)
            before = self._found.get(start.task)
            if before is None or self._is_graded_again(before, start):
                await self._grade(question, answer, start)
            else:
                self.watcher.graded(before)

    def _is_graded_again(self, before: AnswerOutcome, start: AnswerOutcome) -> bool:
        if before.digest != start.digest or not before.finished:
            return True
        reasons = {leaf.reason for leaf in before.leaves if leaf.reason is not None}
        again = self.how.spending.retry_failed
        return bool(reasons - NOBODY_TRIED if again else reasons & MISSING_WORK)

    async def _grade(self, question: Question, answer: ExpAnswer, start: AnswerOutcome) -> None:
        found = start
        if not answer.is_empty:
            name = f"{self.start.run}-{question.exp.folder}-{start.digest[:8]}"
            named = start.model_copy(update={"run": name})
            try:
                found = await grade_answer(question, answer, named, self.how)
            except (BudgetError, ProviderError) as error:
                self._stops.setdefault(error.exit_code, f"{error.code} {error.message}")
                return
        self._found[found.task] = found
        self.folder.keep(found)
        if found.exit_code in STOPS:
            self._stops.setdefault(found.exit_code, found.trouble or "")
        self.watcher.graded(found)

    def _write(self, status: Any) -> ExpResults:
        found = (self._found.get(q.exp.id) or _waiting(q) for q in self.questions)
        answers = tuple(heeding(answer, self.how.runs) for answer in found)
        codes = {*self._stops, *(answer.exit_code for answer in answers)}
        results = self.start.model_copy(
            update={
                "status": status,
                "answers": answers,
                "stopped": next(iter(self._stops.values()), None),
                "exit_code": exit_code(codes),
                "cost": cost(self.how.runs, names_of(self.how.runs, self.start.run)),
            }
        )
        self.folder.write(results)
        return results


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
