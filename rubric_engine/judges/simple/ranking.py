"""Letting the model rank files: what it is asked for each subtree, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.evidence import Planner, Shortlist
from rubric_engine.jobs import Job, run_calls
from rubric_engine.judges.simple.prompt import Prompts
from rubric_engine.model import ChatModel, Completion, Message, ModelFault, text_hash
from rubric_engine.rubric import Rubric


class RankedFiles(BaseModel):
    """The answer."""

    model_config = ConfigDict(extra="forbid")

    paths: list[str] = Field(description="Paths as the list has them, the most important first.")


@dataclass(frozen=True)
class Order:
    """In which order the files of one subtree are taken.

    Attributes:
        paths: Those that the model named, the closest first; the others follow by their words.
        fault: Where it named none, why.
    """

    paths: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class Ask:
    """One call that ranks.

    Attributes:
        job: The call; its key is the subtree's top.
        leaves: The leaves whose evidence it decides.
    """

    job: Job[Order]
    leaves: frozenset[str]


def asks(rubric: Rubric, planner: Planner, prompts: Prompts) -> Iterator[Ask]:
    """Make the call of every subtree that has a choice."""
    for listed in planner.shortlists():
        path = [rubric[key] for key in rubric.path(listed.top)]
        messages = prompts.ranking(listed, path)
        job = Job(
            key=listed.top,
            prefix=text_hash(listed.text),
            render=partial(tuple[Message, ...], messages),
            parse=partial(_order, listed),
            schema=RankedFiles,
        )
        yield Ask(job, frozenset(listed.leaves))


async def ranked(jobs: list[Job[Order]], model: ChatModel) -> dict[str, Order]:
    """Have files ranked; where a call fails, the order is that of their words.

    Every repetition of a judgement takes the same order, and so shares its prompts.

    Raises:
        RubricEngineError: The run must stop.
    """
    ends = await run_calls(jobs, model)
    return {top: order_of(end) for top, end in ends.items()}


def order_of(end: Order | ModelFault) -> Order:
    """The order that follows from the end of a call."""
    return Order(fault=end.reason) if isinstance(end, ModelFault) else end


def _order(listed: Shortlist, completion: Completion) -> Order:
    named: list[str] = (completion.data or {})["paths"]
    paths = dict.fromkeys(listed.paths.get(name.strip()) for name in named)
    found = tuple(path for path in paths if path is not None)
    return Order(found, "" if found else "it named no file of the list")
