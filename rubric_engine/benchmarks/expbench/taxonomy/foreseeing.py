"""What a taxonomy would take: its first pass as it is, its second with usual insights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rubric_engine.benchmarks.expbench.grading.results import ExpResults
from rubric_engine.benchmarks.expbench.taxonomy.failures import (
    failures,
    leaf_batches,
    task_batches,
)
from rubric_engine.benchmarks.expbench.taxonomy.finding import config_of
from rubric_engine.benchmarks.expbench.taxonomy.merging import Insights, Merged
from rubric_engine.benchmarks.expbench.taxonomy.prompts import insights_prompt, merging_prompt
from rubric_engine.benchmarks.expbench.taxonomy.values import Cause
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.dry_run import Foresight, Priced
from rubric_engine.ledger import Call, LedgerReader
from rubric_engine.ledger.keys import schema_of
from rubric_engine.model import Message, ModelConfig
from rubric_engine.spending import Counting, PlannedCall, check_caps, counting, forecast, price_of
from rubric_engine.state import fence_code

_USUAL = "word " * 30
_CAUSES = tuple(Cause(name=f"cause {at}", says=_USUAL) for at in range(10))


def foresee_taxonomy(
    results: ExpResults,
    model: Mapping[str, Any],
    *,
    runs: Path = Path("runs"),
    spending: Spending = NO_LIMIT,
) -> Foresight:
    """Price both passes; calls of the first that are on record are not counted.

    Args:
        results: What a grading gave.
        model: Settings of the chat model.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.

    Raises:
        UsageError: A cap could not hold for the model.
    """
    config, path = config_of(model), runs / LEDGER
    tariff = price_of(config)
    check_caps(config, tariff, spending.max_cost, spending.max_tokens)
    paid, planned = 0, list[PlannedCall]()
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        count = counting(config, ledger)
        for name, messages, schema in _prompts(results):
            call = Call(config.requested, messages, schema_of(schema), 0)
            if ledger is not None and not spending.fresh and ledger.find(call.key) is not None:
                paid += 1
            else:
                planned.append(_planned(name, messages, count, config))
    source = tariff.source if tariff else None
    priced = Priced("the taxonomy", config, source, count.source, forecast(planned, tariff))
    return Foresight((priced,), paid, 0, 0.0)


def _planned(
    name: str, messages: Sequence[Message], count: Counting, config: ModelConfig
) -> PlannedCall:
    return PlannedCall(
        category=name,
        points=0.0,
        shared=(),
        own_tokens=sum(count(message.content) for message in messages),
        output_tokens=count.answer_tokens,
        output_limit=config.max_output_tokens,
    )


def _prompts(
    results: ExpResults,
) -> Iterator[tuple[str, tuple[Message, ...], type[BaseModel]]]:
    found = failures(results)
    for batch in leaf_batches(found):
        yield "insights", insights_prompt(batch, fence_code), Insights
    usual = [leaf.model_copy(update={"insight": _USUAL}) for leaf in found]
    for at, batch in enumerate(task_batches(usual)):
        yield "causes", merging_prompt(_CAUSES if at else (), batch, fence_code), Merged
