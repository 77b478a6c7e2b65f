"""The two passes, through the ledger: nothing is paid for twice, and a cap holds over both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from rubric_engine.benchmarks.expbench.grading.results import ExpResults
from rubric_engine.benchmarks.expbench.taxonomy.failures import (
    failures,
    leaf_batches,
    task_batches,
)
from rubric_engine.benchmarks.expbench.taxonomy.merging import (
    Book,
    Insights,
    Merged,
    unread,
    with_insights,
)
from rubric_engine.benchmarks.expbench.taxonomy.prompts import insights_prompt, merging_prompt
from rubric_engine.benchmarks.expbench.taxonomy.values import Failure, Taxonomy
from rubric_engine.connection import NO_LIMIT, Connection, Spending
from rubric_engine.errors import ProviderError
from rubric_engine.grading import MISSING_WORK
from rubric_engine.jobs import Job, run_calls
from rubric_engine.judges.settings import check_model
from rubric_engine.model import ChatModel, Completion, Message, ModelConfig, ModelFault
from rubric_engine.state import fence_code
from rubric_engine.threads import blocking

S = TypeVar("S", bound=BaseModel)


async def afind_taxonomy(
    results: ExpResults,
    model: Mapping[str, Any] | ChatModel,
    *,
    runs: str | Path = "runs",
    spending: Spending = NO_LIMIT,
) -> Taxonomy:
    """Find out why leaves failed.

    Args:
        results: What a grading gave.
        model: Settings of a chat model, or one of your own.
        runs: Folder of the runs and the ledger of paid calls.
        spending: What may be spent, over all times that it is asked.

    Returns:
        The failures with their causes; what no readable reply speaks of is unknown.

    Raises:
        RubricEngineError: A cap, the key or the provider stopped it. What was paid for is kept,
            and the same call goes on.
    """
    own = model if isinstance(model, ChatModel) else None
    config = own.config if own is not None else config_of(model)
    run = taxonomy_run(results)
    async with Connection(Path(runs).resolve(), run, spending, own) as connection:
        asked = connection.connect(config)
        told = await _insights(failures(results), asked)
        book = await _merged(told, asked)
    order = {leaf.id: at for at, leaf in enumerate(told)}
    return Taxonomy(
        run=run,
        model=config.name,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        causes=tuple(book.causes.values()),
        failures=tuple(sorted(book.failures, key=lambda leaf: order[leaf.id])),
    )


find_taxonomy = blocking(afind_taxonomy)
"""The same as `afind_taxonomy`, for code that is not asynchronous."""


def config_of(model: Mapping[str, Any] | ChatModel) -> ModelConfig:
    """How the model is asked.

    Raises:
        UsageError: The settings are wrong.
    """
    if isinstance(model, ChatModel):
        return model.config
    check_model(model)
    return ModelConfig.model_validate(model)


def taxonomy_run(results: ExpResults) -> str:
    """Name under which the calls about a grading are billed."""
    return f"{results.run}-taxonomy"


async def _insights(found: Sequence[Failure], model: ChatModel) -> list[Failure]:
    """The first pass: what went wrong, failure by failure."""
    batches = leaf_batches(found)
    jobs = [
        _job(str(at), partial(insights_prompt, batch, fence_code), Insights)
        for at, batch in enumerate(batches)
    ]
    ends = await run_calls(jobs, model)
    _require_answers(ends.values())
    told: list[Failure] = []
    for at, batch in enumerate(batches):
        end = ends[str(at)]
        if isinstance(end, ModelFault):
            told += unread(batch, end.reason)
        else:
            told += with_insights(batch, end)
    return told


async def _merged(told: Sequence[Failure], model: ChatModel) -> Book:
    """The second pass: each batch is put under the causes that those before it made."""
    book = Book()
    book.leave(leaf for leaf in told if leaf.insight is None)
    for at, batch in enumerate(task_batches([leaf for leaf in told if leaf.insight is not None])):
        prompt = partial(merging_prompt, tuple(book.causes.values()), batch, fence_code)
        ends = await run_calls([_job(str(at), prompt, Merged)], model)
        _require_answers(ends.values())
        end = ends[str(at)]
        if isinstance(end, ModelFault):
            book.leave(unread(batch, end.reason))
        else:
            book.add(batch, end)
    return book


def _job(key: str, render: Callable[[], tuple[Message, ...]], schema: type[S]) -> Job[S]:
    def parse(completion: Completion) -> S:
        return schema.model_validate(completion.data)

    return Job(key=key, prefix=key, render=render, parse=parse, schema=schema)


def _require_answers(ends: Iterable[object]) -> None:
    """Stop where a call is missing: causes would follow from a part of the failures.

    Raises:
        ProviderError: One is.
    """
    lost = [end for end in ends if isinstance(end, ModelFault) and end.reason in MISSING_WORK]
    if lost:
        raise ProviderError(
            f"{len(lost)} calls about failures got no answer; the first: {lost[0].message}",
            fix=["the same command goes on; what was paid for is not paid again"],
        )
