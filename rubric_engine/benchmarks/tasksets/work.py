"""The work of one run: agents are asked, answers are judged beside that, each is kept at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from rubric_engine.benchmarks.capped import Capped
from rubric_engine.benchmarks.endings import STOPS
from rubric_engine.benchmarks.parallel import side_by_side
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
    keys_of,
    task_results,
)
from rubric_engine.benchmarks.tasksets.grading_answers import grade_answer
from rubric_engine.benchmarks.tasksets.how import How
from rubric_engine.benchmarks.tasksets.own_agent import ask_agent
from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results
from rubric_engine.benchmarks.tasksets.results_folder import ResultsFolder
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.connection import Connection
from rubric_engine.errors import BudgetError, ProviderError
from rubric_engine.state import fence_code


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
    _cap: Capped = field(default_factory=Capped)
    _is_new: bool = True
    _asked: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        tasks = enumerate(self.task_set, 1)
        self._numbers = {task.task_id: number for number, task in tasks}
        self._keys = keys_of(self.task_set, self.samples)

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
        names = runs_of(self.how.runs, self.start.run)
        shared = self._cap.shared(self.how.spending, self.how.runs, names)
        self.how = replace(self.how, spending=shared)
        self.watcher.connected(self._cap.traffics.total)
        return await self._cap.carry_out(self._round, self.how.concurrency, self._write)

    async def _round(self, width: int) -> None:
        """Judge what waits, then ask and judge what is missing, until something stops the run."""
        slots = asyncio.Semaphore(width)
        async with side_by_side() as judging:
            for answer in self._unjudged():
                judging.create_task(self._judge(answer, slots))
        if self._cap.is_stopped:
            return
        async with side_by_side() as judging:
            async for answer in self._ask(width):
                if answer.returned:
                    judging.create_task(self._judge(answer, slots))

    async def _ask(self, width: int) -> AsyncIterator[AnswerResult]:
        """Ask the agent for what is missing, as long as nothing stops the run."""
        tasks = self._unanswered()
        if not tasks:
            return
        try:
            async with self._asking(tasks, width) as said:
                async for found in said:
                    answer = await self._with_claims(found)
                    self._asked.add((answer.task, answer.sample))
                    self._enter(answer)
                    self.watcher.answered(answer)
                    yield answer
        except (BudgetError, ProviderError) as error:
            self._cap.stop(error.exit_code, f"the agent: {error.code} {error.message}")

    async def _with_claims(self, found: AgentAnswer) -> AnswerResult:
        answer = AnswerResult.model_validate(found.model_dump())
        if self.how.claims is None or not answer.returned:
            return answer
        task, texts = self.task_set[answer.task], self.task_set.texts
        claims = await asyncio.to_thread(self.how.claims, task, texts, answer.text)
        return answer.model_copy(update={"claims": claims})

    def _unanswered(self) -> list[AgentTask]:
        return [
            agent_task(self.task_set[name], self.task_set, sample)
            for name, sample in self._keys
            if is_asked_again(
                self._answers.get((name, sample)),
                retry_failed=self.how.spending.retry_failed and (name, sample) not in self._asked,
            )
        ]

    def _unjudged(self) -> list[AnswerResult]:
        return [
            answer
            for answer in self._answers.values()
            if is_judged_again(answer, retry_failed=self.how.spending.retry_failed)
        ]

    @asynccontextmanager
    async def _asking(
        self, tasks: Sequence[AgentTask], width: int
    ) -> AsyncIterator[AsyncIterator[AgentAnswer]]:
        agent = self.how.agent
        if agent.own is not None:
            yield ask_agent(
                tasks,
                agent.own,
                width=width,
                retries=self.how.retries,
                wanted=self._goes_on,
                time_limit=self.how.agent_timeout,
            )
            return
        assert agent.config is not None
        run = agent_run(self.start.run)
        async with Connection(
            self.how.runs.resolve(), run, self.how.spending, agent.model, new=self._is_new
        ) as connection:
            self._is_new = False
            yield ask_model(
                tasks, connection.connect(agent.config), fence_code, wanted=self._goes_on
            )

    async def _judge(self, answer: AnswerResult, slots: asyncio.Semaphore) -> None:
        async with slots:
            if self._cap.is_stopped:
                return
            task = self.task_set[answer.task]
            number = self._numbers[answer.task]
            name = answer.run or judging_run(self.start.run, number, answer.sample)
            folder = self.folder.path / "answers" / f"{number}-{answer.sample}"
            named = answer.model_copy(update={"run": name})
            try:
                judged = await grade_answer(task, self.task_set.texts, named, folder, self.how)
            except (BudgetError, ProviderError) as error:
                self._cap.stop(error.exit_code, f"{error.code} {error.message}")
                return
        self._enter(judged)
        if judged.exit_code in STOPS:
            self._cap.stop(judged.exit_code, judged.trouble or "")
        self.watcher.judged(judged)

    def _goes_on(self) -> bool:
        return not self._cap.is_stopped

    def _enter(self, answer: AnswerResult) -> None:
        self._answers[answer.task, answer.sample] = answer
        self.folder.keep(answer)

    def _write(self, status: Any) -> Results:
        codes = {answer.exit_code for answer in self._answers.values()}
        if any(answer.reason == "provider_error" for answer in self._answers.values()):
            codes.add(ProviderError.exit_code)
        if self.how.agent.own is None:
            for answer in list(with_seconds(self._answers.values(), self.how.runs)):
                self._enter(answer)
        results = self.start.model_copy(
            update={
                "status": status,
                "tasks": task_results(self.task_set, self._answers, self._keys),
                "stopped": self._cap.why,
                "exit_code": self._cap.exit_code(codes),
                "cost": costs(self.how.runs, self.start.run),
            }
        )
        self.folder.write(results)
        return results
