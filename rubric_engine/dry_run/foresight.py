"""What is foreseen of a grading: calls, tokens and dollars of each model, and their sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum

from rubric_engine.model import ModelConfig
from rubric_engine.spending import Forecast, price_of


@dataclass(frozen=True)
class Priced:
    """What the calls to one model would take.

    Attributes:
        judge: Name of the judge that asks.
        model: The model.
        source: Where its price comes from; None where there is none.
        counted: How its tokens were counted, in words.
        forecast: Calls, tokens and dollars.
        rankings: How many of the calls rank files, before it is known what leaves are shown.
        member_of: Name of the judge made of judges that the judge is in; empty where it is in none.
        spare: Whether a judge that pays is asked before, so that these are the most calls that it
            may leave, and there may be none.
    """

    judge: str
    model: ModelConfig
    source: str | None
    counted: str
    forecast: Forecast
    rankings: int = 0
    spare: bool = False
    member_of: str = ""

    @property
    def who(self) -> str:
        """The judge in words: its name, and whose member it is."""
        return f"{self.judge}, of {self.member_of}" if self.member_of else self.judge


@dataclass(frozen=True)
class Foresight:
    """What a grading would take.

    Attributes:
        priced: By judge that pays and plans its calls.
        paid: Leaves whose answer is on record; they cost nothing.
        waiting: Leaves that would need a run of `reproduce.sh` which there is not.
        waiting_points: What these are worth, in points of 100.
        unforeseen: Models that judges of other people's ask, who tell nobody how often.
    """

    priced: tuple[Priced, ...]
    paid: int
    waiting: int
    waiting_points: float
    unforeseen: tuple[ModelConfig, ...] = ()

    @property
    def calls(self) -> int:
        """Calls that would be made; at most so many where some are spare."""
        return sum(each.forecast.total.calls for each in self.priced)

    @property
    def least_calls(self) -> int:
        """Calls that would be made if no judge left anything to one that is asked after it."""
        return sum(each.forecast.total.calls for each in self.priced if not each.spare)

    @property
    def rankings(self) -> int:
        """Calls among them that rank files; what leaves are shown depends on their answers."""
        return sum(each.rankings for each in self.priced)

    @property
    def low(self) -> float | None:
        """Dollars with answers of a usual length, no spare call made; None without a price."""
        return _sum(each.forecast.total.low for each in self._asked if not each.spare)

    @property
    def high(self) -> float | None:
        """Dollars with answers at their limit; None without a price or without a limit."""
        return None if self.unforeseen else _sum(each.forecast.total.high for each in self._asked)

    @property
    def at_risk(self) -> float | None:
        """As `high`, of the models alone that have a price; None where nothing limits it."""
        if any(price_of(config) is not None for config in self.unforeseen):
            return None
        return _sum(each.forecast.total.high for each in self._asked if each.source is not None)

    @property
    def unpriced(self) -> bool:
        """Whether a model that would be asked has no price."""
        return any(each.source is None for each in self._asked) or any(
            price_of(config) is None for config in self.unforeseen
        )

    @property
    def _asked(self) -> Iterator[Priced]:
        return (each for each in self.priced if each.forecast.total.calls)


def _sum(amounts: Iterator[float | None]) -> float | None:
    known = list(amounts)
    return None if None in known else fsum(each for each in known if each is not None)
