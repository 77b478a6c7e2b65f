"""The work of one grading: answers side by side under one cap, each kept at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer, read_answer
from rubric_engine.benchmarks.expbench.grading.answer_grading import grade_answer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question
from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    ExpResults,
    Mark,
    MonitorMark,
)
from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
from rubric_engine.benchmarks.expbench.grading.starting import start_of
from rubric_engine.connection import LEDGER, Together
from rubric_engine.connection.costs import cost_of
from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, SandboxError
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED
from rubric_engine.ledger import LedgerReader, Spent

Told = Callable[[AnswerOutcome, int, int], None]
"""Is told of an answer that was graded, how many are done, and how many there are."""

_STOPS = {error.exit_code for error in (BudgetError, CredentialsError, ProviderError)}
_ORDER = (
    CredentialsError.exit_code, BudgetError.exit_code, ProviderError.exit_code,
    SandboxError.exit_code, 5,
)  # fmt: skip
"""Exit codes of a grading that came to its end, the first that applies."""


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
        told: Is told of each.
    """

    questions: list[Question]
    answers: Path
    how: Grading
    folder: ExpFolder
    start: ExpResults
    concurrency: int
    told: Told | None = None
    _found: dict[str, AnswerOutcome] = field(default_factory=dict)
    _stops: dict[int, str] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)

    async def carry_out(self) -> ExpResults:
        """Grade what is left to grade.

        Raises:
            RubricEngineError: What fails for every answer alike; what was done is kept.
        """
        kept = self.folder.kept()
        handed_in = {q.exp.id: q for q in self.questions}
        self._found = {name: one for name, one in kept.items() if name in handed_in}
        self._write("running")
        given = self.how.spending
        together = Together.under(given.max_cost, given.max_tokens, self._earlier())
        self.how = replace(self.how, spending=replace(given, together=together))
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

    async def _round(self, width: int) -> None:
        slots = asyncio.Semaphore(width)
        under_way = [asyncio.create_task(self._one(each, slots)) for each in self.questions]
        try:
            await asyncio.gather(*under_way)
        except BaseException:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
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

    def _is_graded_again(self, before: AnswerOutcome, start: AnswerOutcome) -> bool:
        if before.digest != start.digest or not before.finished:
            return True
        reasons = {leaf.reason for leaf in before.leaves if leaf.reason is not None}
        again = self._retries(before.task)
        return bool(reasons - NOBODY_TRIED if again else reasons & MISSING_WORK)

    def _retries(self, task: str) -> bool:
        """Whether what failed is asked again: once a grading, whatever came of it."""
        return self.how.spending.retry_failed and task not in self._tried

    async def _grade(self, question: Question, answer: ExpAnswer, start: AnswerOutcome) -> None:
        found = start
        if not answer.is_empty:
            name = f"{self.start.run}-{question.exp.folder}-{start.digest[:8]}"
            named = start.model_copy(update={"run": name})
            spending = replace(self.how.spending, retry_failed=self._retries(start.task))
            self._tried.add(start.task)
            try:
                found = await grade_answer(
                    question, answer, named, replace(self.how, spending=spending)
                )
            except (BudgetError, ProviderError) as error:
                self._stops.setdefault(error.exit_code, f"{error.code} {error.message}")
                return
        self._found[found.task] = found
        self.folder.keep(found)
        if found.exit_code in _STOPS:
            self._stops.setdefault(found.exit_code, found.trouble or "")
        if self.told is not None:
            self.told(found, len(self._found), len(self.questions))

    def _write(self, status: Any) -> ExpResults:
        answers = tuple(self._found.get(q.exp.id) or _waiting(q) for q in self.questions)
        codes = {*self._stops, *(answer.exit_code for answer in answers)}
        results = self.start.model_copy(
            update={
                "status": status,
                "answers": answers,
                "stopped": next(iter(self._stops.values()), None),
                "exit_code": next((code for code in _ORDER if code in codes), 0),
                "cost": self._cost(),
            }
        )
        self.folder.write(results)
        return results

    def _names(self) -> list[str]:
        runs = self.how.runs.glob(f"{self.start.run}-*")
        return sorted(each.name for each in runs if each.is_dir())

    def _earlier(self) -> dict[str, Spent]:
        """What each run of this grading has spent so far."""
        path = self.how.runs / LEDGER
        if not path.is_file():
            return {}
        with LedgerReader.open(path) as ledger:
            return {name: ledger.spent(name) for name in self._names()}

    def _cost(self) -> Mapping[str, float]:
        """Calls, tokens and dollars of all runs."""
        path = self.how.runs / LEDGER
        total: Counter[str] = Counter()
        if not path.is_file():
            return {}
        with LedgerReader.open(path) as ledger:
            for name in self._names():
                cost = cost_of(ledger, name, priced=False, max_cost=None, max_tokens=None)
                total.update(cost)
        return {name: amount for name, amount in total.items() if amount or name == "calls"}


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
