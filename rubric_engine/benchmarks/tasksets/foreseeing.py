"""What a run over a set would take: prompts of the agent, and judging answers of a usual length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rubric_engine.benchmarks.foreseeing import foresee_judging
from rubric_engine.benchmarks.judging import HowJudged
from rubric_engine.benchmarks.tasksets.agent import agent_task
from rubric_engine.benchmarks.tasksets.as_rubric import engine_task
from rubric_engine.benchmarks.tasksets.chat_agent import prompt_of
from rubric_engine.benchmarks.tasksets.collecting import (
    Key,
    is_asked_again,
    is_judged_again,
    keys_of,
)
from rubric_engine.benchmarks.tasksets.identity import Asked
from rubric_engine.benchmarks.tasksets.judging import card_for, model_for
from rubric_engine.benchmarks.tasksets.results import AnswerResult
from rubric_engine.benchmarks.tasksets.submitting import submit
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.dry_run import Foresight, Priced, Promised, in_turn, together
from rubric_engine.dry_run.planned import Record
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
    samples: int,
    kept: Mapping[Key, AnswerResult],
    *,
    judge: str,
    model: Mapping[str, Any],
    runs: Path,
    spending: Spending = NO_LIMIT,
) -> Foresight:
    """Make every prompt that a run would send, and price them.

    Answers that it would ask for are judged at a usual length; of those that are kept, only what it
    would judge again.

    Args:
        task_set: The tasks.
        agent: The agent; what one of one's own takes nobody can tell.
        samples: How often each task is asked.
        kept: The answers that there are.
        judge: Name or path of the judge's card.
        model: Settings of its model in place of its card's.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
    """
    every, again = keys_of(task_set, samples), spending.retry_failed
    keys = [key for key in every if is_asked_again(kept.get(key), retry_failed=again)]
    known = [kept[key] for key in every if key in kept]
    rest = [answer for answer in known if is_judged_again(answer, retry_failed=again)]
    how = HowJudged(judge, model, runs, spending)
    judged = list(_of_judges(task_set, [*rest, *map(_usual, keys)], how))
    asked = [_of_agent(task_set, agent, keys, runs, spending)] if agent.config is not None else []
    return in_turn([*asked, *([together(judged)] if judged else [])])


def _usual(key: Key) -> AnswerResult:
    """An answer of a usual length; those of one task differ."""
    text = f"{key[1]} {'word ' * (ANSWER_CHARS // 5)}"
    return AnswerResult(task=key[0], sample=key[1], status="answered", text=text)


def _of_agent(
    task_set: TaskSet, agent: Asked, keys: Collection[Key], runs: Path, spending: Spending
) -> Foresight:
    assert agent.config is not None
    config, path = agent.config, runs / LEDGER
    tariff = price_of(config)
    check_caps(config, tariff, spending.max_cost, spending.max_tokens)
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        count, record = counting(config, ledger), Record(ledger, spending)
        calls: list[PlannedCall] = []
        for name, sample in keys:
            task = task_set[name]
            messages = prompt_of(agent_task(task, task_set, sample), fence_code)
            call = Call(config.requested, messages, None, sample)
            if record.find(call) is not None:
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
    task_set: TaskSet, answers: Iterable[AnswerResult], how: HowJudged
) -> Iterator[Foresight]:
    promised = Promised()
    for answer in answers:
        task = task_set[answer.task]
        if not task.judge.asks_model:
            continue
        candidate = load_candidate(card_for(task, how.judge), model=model_for(task, how.settings))
        with TemporaryDirectory() as folder:
            place = submit(answer.text, task.expected_output, Path(folder) / "it")
            case = Case(engine_task(task, task_set.texts), load_submission(place))
            yield foresee_judging(candidate, case, how, promised, run=answer.run)
