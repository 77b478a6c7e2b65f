"""What a run over a set would take: prompts of the agent, and judging answers of a usual length."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rubric_engine.benchmarks.tasksets.agent import agent_task
from rubric_engine.benchmarks.tasksets.as_rubric import engine_task
from rubric_engine.benchmarks.tasksets.chat_agent import prompt_of
from rubric_engine.benchmarks.tasksets.collecting import Key
from rubric_engine.benchmarks.tasksets.identity import Asked
from rubric_engine.benchmarks.tasksets.judging import card_for, model_for
from rubric_engine.benchmarks.tasksets.submitting import submit
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.dry_run import Foresight, Priced, Promised, foresee, in_turn, together
from rubric_engine.ledger import Call, LedgerReader
from rubric_engine.model import text_hash
from rubric_engine.spending import PlannedCall, check_caps, counting, forecast, price_of
from rubric_engine.state import fence_code
from rubric_engine.submission import load_submission

ANSWER_CHARS = 3000
"""Characters of the answer that stands for those that nobody knows yet."""


def foresee_run(
    task_set: TaskSet,
    agent: Asked,
    keys: Collection[Key],
    *,
    judge: str,
    model: Mapping[str, Any],
    runs: Path,
    spending: Spending = NO_LIMIT,
) -> Foresight:
    """Make every prompt of the agent, and those about answers of a usual length, and price them.

    Args:
        task_set: The tasks.
        agent: The agent; what one of one's own takes nobody can tell.
        keys: The answers that are still to be asked for.
        judge: Name or path of the judge's card.
        model: Settings of its model in place of its card's.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
    """
    asked = [_of_agent(task_set, agent, keys, runs, spending)] if agent.config is not None else []
    judged = list(_of_judges(task_set, keys, judge, model, runs, spending))
    return in_turn([*asked, *([together(judged)] if judged else [])])


def _of_agent(
    task_set: TaskSet, agent: Asked, keys: Collection[Key], runs: Path, spending: Spending
) -> Foresight:
    assert agent.config is not None
    config, path = agent.config, runs / LEDGER
    tariff = price_of(config)
    check_caps(config, tariff, spending.max_cost, spending.max_tokens)
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        count = counting(config, ledger)
        calls: list[PlannedCall] = []
        for name, sample in keys:
            task = task_set[name]
            messages = prompt_of(agent_task(task, task_set, sample), fence_code)
            call = Call(config.requested, messages, None, sample)
            if ledger is not None and not spending.fresh and ledger.find(call.key) is not None:
                continue
            head = [(text_hash(each.content), count(each.content)) for each in messages[:-1]]
            calls.append(
                PlannedCall(
                    category=task.phase,
                    points=100 / len(keys),
                    shared=tuple(head),
                    own_tokens=count(messages[-1].content),
                    output_tokens=count.answer_tokens,
                    output_limit=config.max_output_tokens,
                )
            )
    source = tariff.source if tariff else None
    priced = Priced("the agent", config, source, count.source, forecast(calls, tariff))
    return Foresight((priced,), len(keys) - len(calls), 0, 0.0)


def _of_judges(
    task_set: TaskSet,
    keys: Collection[Key],
    judge: str,
    model: Mapping[str, Any],
    runs: Path,
    spending: Spending,
) -> Iterator[Foresight]:
    promised = Promised()
    for name, sample in keys:
        task = task_set[name]
        if not task.judge.asks_model:
            continue
        with TemporaryDirectory() as folder:
            text = f"{sample} {'word ' * (ANSWER_CHARS // 5)}"
            submission = load_submission(submit(text, task.expected_output, Path(folder) / "it"))
            case = Case(engine_task(task, task_set.texts), submission)
            candidate = load_candidate(card_for(task, judge), model=model_for(task, model))
            yield foresee(candidate, case, runs=runs, spending=spending, promised=promised)
