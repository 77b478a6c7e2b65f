"""How answers are judged, and the run of each: begun, or gone on with where it was stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.errors import EXIT_INCOMPLETE
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.model import ChatModel
from rubric_engine.past import Past, read_past
from rubric_engine.result import Report
from rubric_engine.resuming import aresume
from rubric_engine.rundir import holds_run

_MOST_TRIES = 1000

Model = Mapping[str, Any] | ChatModel
"""Settings of a model, or a model of one's own."""


def model_given(model: str | Model | None) -> Model:
    """A model as a caller names it: by its name, by settings, or one of their own."""
    return {"name": model} if isinstance(model, str) else model or {}


@dataclass(frozen=True)
class HowJudged:
    """How answers are judged.

    Attributes:
        judge: Name or path of a judge's card.
        model: Settings of its model in place of its card's, or a model of one's own.
        runs: Folder of the runs and the ledger.
        spending: What may be spent.
    """

    judge: str
    model: Model = field(default_factory=dict)
    runs: Path = Path("runs")
    spending: Spending = NO_LIMIT

    @property
    def own(self) -> ChatModel | None:
        """The model of one's own, if it is one."""
        return self.model if isinstance(self.model, ChatModel) else None

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is said of the card's model; nothing where a model of one's own is asked."""
        return {} if isinstance(self.model, ChatModel) else self.model


async def judged(name: str, how: HowJudged, begin: Callable[[Path], Awaitable[Report]]) -> Report:
    """The report of an answer's run; what was paid for is not paid again.

    Args:
        name: Name that the run has or gets; the next that is free where another has it.
        how: How it is judged.
        begin: Grades the answer in a new folder.

    Raises:
        RubricEngineError: It cannot be graded.
    """
    place, past = await asyncio.to_thread(_place, how.runs / name)
    if past is None:
        return await begin(place)
    again = how.spending.retry_failed
    return await aresume(past, spending=how.spending, retry_failed=again, model=how.own)


def past_of(name: str, runs: Path) -> Past | None:
    """The run of an answer that would be gone on with; None where a new one begins.

    Args:
        name: Name that the run has.
        runs: Folder of the runs.

    Raises:
        RunError: The run is damaged, or not ours.
    """
    return _place(runs / name)[1]


def _place(first: Path) -> tuple[Path, Past | None]:
    """The folder of a run: one that can be gone on with, or one that is free.

    A run that was killed before its inputs were kept has graded nothing, and is left alone. Where
    the answer has still to be run a new one begins: only this process knows the sandbox, and what
    models said is on record.
    """
    for number in range(1, _MOST_TRIES):
        place = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not holds_run(place):
            return place, None
        if is_file(place / LIST) and (past := read_past(place)).sandbox is None:
            return place, past
    return first, None


def ending(report: Report) -> dict[str, Any]:
    """What is kept of how judging an answer ended: run, finished, trouble, exit_code."""
    stop, failed = report.stopped, EXIT_INCOMPLETE if report.failed else 0
    return {
        "run": Path(report.run).name if report.run else None,
        "finished": stop is None,
        "trouble": f"{stop.code} {stop.message}" if stop else None,
        "exit_code": stop.exit_code if stop else failed,
    }
