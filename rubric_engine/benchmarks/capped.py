"""Work on many answers under one cap: what it may spend, and what stops it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from rubric_engine.benchmarks.bills import earlier
from rubric_engine.benchmarks.endings import exit_code
from rubric_engine.benchmarks.traffics import Traffics
from rubric_engine.connection import Spending, Together
from rubric_engine.errors import BudgetError

Work = Callable[[int], Awaitable[None]]
Results = TypeVar("Results")


@dataclass
class Capped:
    """What the work on many answers has in common.

    Attributes:
        traffics: The traffic of all their runs.
    """

    traffics: Traffics = field(default_factory=Traffics)
    _stops: dict[int, str] = field(default_factory=dict)

    @property
    def is_stopped(self) -> bool:
        """Whether nothing more is begun."""
        return bool(self._stops)

    @property
    def why(self) -> str | None:
        """What stopped it first."""
        return next(iter(self._stops.values()), None)

    def shared(self, given: Spending, runs: Path, names: Iterable[str]) -> Spending:
        """What all of it may spend together, what it spent at earlier times included.

        What failed before now is asked again once, however often the work goes round.

        Args:
            given: What may be spent.
            runs: Folder of the runs and the ledger.
            names: The runs that there are by now.
        """
        together = Together.under(given.max_cost, given.max_tokens, earlier(runs, names))
        now = datetime.now(UTC)
        return replace(given, together=together, watch=self.traffics.add, retry_before=now)

    async def carry_out(
        self, work: Work, width: int, write: Callable[[Literal["stopped", "done"]], Results]
    ) -> Results:
        """Do the work, and write what came of it, also where an error ends it.

        Args:
            work: Does what is left to do, so many answers at a time.
            width: How many.
            write: Writes the results with their status.
        """
        try:
            await self._rounds(work, width)
        except BaseException:
            write("stopped")
            raise
        return write("stopped" if self.is_stopped else "done")

    async def _rounds(self, work: Work, width: int) -> None:
        """Do the work; where a cap alone stopped it, once more, one answer after the other.

        What others had set aside may have been in the way; it is given back by then.
        """
        await work(width)
        if self._stops.keys() == {BudgetError.exit_code}:
            self._stops.clear()
            await work(1)

    def stop(self, code: int, why: str) -> None:
        """Begin nothing more; the first reason of an exit code stands."""
        self._stops.setdefault(code, why)

    def exit_code(self, codes: Collection[int]) -> int:
        """The exit code of all of it, from what stopped it and the codes of its answers."""
        return exit_code({*self._stops, *codes})
