"""The work of one run: agents are asked, answers are judged beside that, each is kept at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.bills import earlier
from rubric_engine.benchmarks.endings import STOPS, cancelled, exit_code
from rubric_engine.benchmarks.judging import Judging
from rubric_engine.benchmarks.tasksets.agent import AgentTask, agent_task
from rubric_engine.benchmarks.tasksets.answer import AgentAnswer
from rubric_engine.benchmarks.tasksets.bills import (
    agent_run,
    costs,
    judging_run,
    runs_of,
    with_seconds,
)
from rubric_engine.benchmarks.tasksets.chat_agent import ask_model
from rubric_engine.benchmarks.tasksets.collecting import (
    Key,
    is_asked_again,
    is_judged_again,
    task_results,
)
from rubric_engine.benchmarks.tasksets.grading_answers import grade_answer
from rubric_engine.benchmarks.tasksets.grounding import FindClaims, claims_of
from rubric_engine.benchmarks.tasksets.identity import Asked
from rubric_engine.benchmarks.tasksets.own_agent import ask_agent
from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results
from rubric_engine.benchmarks.tasksets.results_folder import ResultsFolder
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.benchmarks.traffics import Traffics
from rubric_engine.connection import NO_LIMIT, Connection, Spending, Together
from rubric_engine.errors import BudgetError, ProviderError
from rubric_engine.model import ChatModel
from rubric_engine.state import fence_code


@dataclass(frozen=True)
class How:
    """How a set is run; see `running.run_task_set`."""

    agent: Asked
    judge: str
    model: Mapping[str, Any] | ChatModel
    spending: Spending = NO_LIMIT
    concurrency: int = 4
    retries: int = 1
    runs: Path = Path("runs")
    claims: FindClaims | None = claims_of


@dataclass
class Work:
    """One run over a set, from what is kept of it to its results.

    Attributes:
        task_set: The tasks.
        samples: How often each is asked.
        how: How.
        folder: Where results are kept.
        start: The results as they begin.
        watcher: Is told how it goes.
    """

    task_set: TaskSet
    samples: int
    how: How
    folder: ResultsFolder
    start: Results
    watcher: Watcher
    _answers: dict[Key, AnswerResult] = field(default_factory=dict)
    _stops: dict[int, str] = field(default_factory=dict)
    _spending: Spending = NO_LIMIT
    _traffics: Traffics = field(default_factory=Traffics)
    _is_new: bool = True

    def __post_init__(self) -> None:
        tasks = enumerate(self.task_set, 1)
        self._numbers = {task.task_id: number for number, task in tasks}
        self._keys = [(name, at) for at in range(self.samples) for name in self._numbers]

    async def carry_out(self, *, is_new: bool) -> Results:
        """Do what is left to do.

        Args:
            is_new: Whether the run begins now.

        Raises:
            RubricEngineError: What fails for every task alike; what was done is kept.
        """
        self._is_new = is_new
        kept = {} if is_new else self.folder.kept()
        self._answers = {key: kept[key] for key in self._keys if key in kept}
        self.watcher.begin(self._keys)
        for answer in self._answers.values():
            self.watcher.kept(answer)
        self._write("running")
        self._spending = self._shared()
        try:
            await self._round(self.how.concurrency)
            if self._stops.keys() == {BudgetError.exit_code}:
                # What others had set aside may have been in the way; it is given back by now.
                self._stops = {}
                await self._round(1)
        except BaseException:
            self._write("stopped")
            raise
        return self._write("stopped" if self._stops else "done")

    def _shared(self) -> Spending:
        given = self.how.spending
        before = earlier(self.how.runs, runs_of(self.how.runs, self.start.run))
        together = Together.under(given.max_cost, given.max_tokens, before)
        self.watcher.connected(self._traffics.total)
        return replace(given, together=together, watch=self._traffics.add)

    async def _round(self, width: int) -> None:
        """Ask and judge what is missing, as far as it goes."""
        slots, judging = asyncio.Semaphore(width), set[asyncio.Task[None]]()
        again = self._spending.retry_failed
        for answer in self._answers.values():
            if is_judged_again(answer, retry_failed=again):
                judging.add(asyncio.create_task(self._judge(answer, slots)))
        try:
            async for answer in self._ask(width):
                if answer.returned:
                    judging.add(asyncio.create_task(self._judge(answer, slots)))
            await asyncio.gather(*judging)
        except BaseException:
            await cancelled(judging)
            raise

    async def _ask(self, width: int) -> AsyncIterator[AnswerResult]:
        """Ask the agent for what is missing; a stop is noted, for answers may still be judged."""
        tasks = self._unanswered()
        if not tasks:
            return
        try:
            async with self._asking(tasks, width) as said:
                async for found in said:
                    answer = await self._with_claims(found)
                    self._enter(answer)
                    self.watcher.answered(answer)
                    yield answer
        except (BudgetError, ProviderError) as error:
            self._stop(error.exit_code, f"the agent: {error.code} {error.message}")

    async def _with_claims(self, found: AgentAnswer) -> AnswerResult:
        answer = AnswerResult.model_validate(found.model_dump())
        if self.how.claims is None or not answer.returned:
            return answer
        task, texts = self.task_set[answer.task], self.task_set.texts
        claims = await asyncio.to_thread(self.how.claims, task, texts, answer.text)
        return answer.model_copy(update={"claims": claims})

    def _unanswered(self) -> list[AgentTask]:
        again = self._spending.retry_failed
        return [
            agent_task(self.task_set[name], self.task_set, sample)
            for name, sample in self._keys
            if is_asked_again(self._answers.get((name, sample)), retry_failed=again)
        ]

    @asynccontextmanager
    async def _asking(
        self, tasks: Sequence[AgentTask], width: int
    ) -> AsyncIterator[AsyncIterator[AgentAnswer]]:
        agent = self.how.agent
        if agent.own is not None:
            yield ask_agent(tasks, agent.own, width=width, retries=self.how.retries)
            return
        assert agent.config is not None
        run = agent_run(self.start.run)
        async with Connection(
            self.how.runs.resolve(), run, self._spending, agent.model, new=self._is_new
        ) as connection:
            self._is_new = False
            yield ask_model(tasks, connection.connect(agent.config), fence_code)

    async def _judge(self, answer: AnswerResult, slots: asyncio.Semaphore) -> None:
        async with slots:
            if self._stops:
                return
            task = self.task_set[answer.task]
            number = self._numbers[answer.task]
            name = answer.run or judging_run(self.start.run, number, answer.sample)
            how = Judging(self.how.judge, self.how.model, self.how.runs, self._spending)
            folder = self.folder.path / "answers" / f"{number}-{answer.sample}"
            named = answer.model_copy(update={"run": name})
            try:
                judged = await grade_answer(task, self.task_set.texts, named, folder, how)
            except (BudgetError, ProviderError) as error:
                self._stop(error.exit_code, f"{error.code} {error.message}")
                return
        self._enter(judged)
        if judged.exit_code in STOPS:
            self._stop(judged.exit_code, judged.trouble or "")
        self.watcher.judged(judged)

    def _stop(self, code: int, why: str) -> None:
        self._stops.setdefault(code, why)

    def _enter(self, answer: AnswerResult) -> None:
        self._answers[answer.task, answer.sample] = answer
        self.folder.keep(answer)

    def _write(self, status: Any) -> Results:
        codes = {*self._stops, *(answer.exit_code for answer in self._answers.values())}
        if any(answer.reason == "provider_error" for answer in self._answers.values()):
            codes.add(ProviderError.exit_code)
        if self.how.agent.own is None:
            for answer in list(with_seconds(self._answers.values(), self.how.runs)):
                self._enter(answer)
        results = self.start.model_copy(
            update={
                "status": status,
                "tasks": task_results(self.task_set, self._answers, self._keys),
                "stopped": next(iter(self._stops.values()), None),
                "exit_code": exit_code(codes),
                "cost": costs(self.how.runs, self.start.run),
            }
        )
        self.folder.write(results)
        return results
