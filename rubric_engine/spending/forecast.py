"""What planned calls would cost, by category, with what the provider will have cached."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from rubric_engine.model import Usage
from rubric_engine.spending.tariff import Tariff

_LEAST_CACHED = 1024  # tokens; a shorter prefix is not cached


@dataclass(frozen=True)
class PlannedCall:
    """One call before it is sent; tokens are estimates.

    Attributes:
        category: The leaf's category.
        points: What the leaf is worth, in points of 100.
        shared: Hash and tokens of each part that calls may share, in the order of the prompt.
        own_tokens: Tokens of the rest of the prompt.
        output_tokens: Expected tokens of the answer.
        output_limit: Most tokens of the answer; None where nothing limits it.
    """

    category: str
    points: float
    shared: tuple[tuple[str, int], ...]
    own_tokens: int
    output_tokens: int
    output_limit: int | None


@dataclass(frozen=True)
class ForecastRow:
    """What the calls of one category would take.

    Attributes:
        calls: How many.
        input_tokens: Tokens of their prompts.
        cached_tokens: What of these an earlier call has sent already.
        output_tokens: Expected tokens of the answers.
        points: What they buy, in points of 100.
        low: Dollars with answers as long as expected; None without a price.
        high: Dollars with answers at their limit; None without a price or without a limit.
    """

    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    points: float
    low: float | None
    high: float | None

    @property
    def cached_share(self) -> float:
        """Share of the prompts' tokens that will be cached, 0..1."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else 0.0


@dataclass(frozen=True)
class Forecast:
    """What a run would take: a row for each category, in order of first use, and their total."""

    categories: dict[str, ForecastRow]
    total: ForecastRow


def forecast(calls: Iterable[PlannedCall], tariff: Tariff | None) -> Forecast:
    """Foresee what calls cost, if nothing but them warms the provider's cache.

    Args:
        calls: In the order in which they are sent.
        tariff: What the model costs; None where no price is known.

    Returns:
        Calls, tokens, dollars and points, by category and in total.
    """
    sent = _Sent()
    sheets: dict[str, _Sheet] = {}
    total = _Sheet()
    for call in calls:
        cached = sent.send(call.shared)
        for sheet in (sheets.setdefault(call.category, _Sheet()), total):
            sheet.add(call, cached, tariff)
    priced = tariff is not None
    return Forecast(
        categories={category: sheet.row(priced=priced) for category, sheet in sheets.items()},
        total=total.row(priced=priced),
    )


@dataclass
class _Prefix:
    """What has followed a prefix so far, by the hash of the next part."""

    longer: dict[str, _Prefix] = field(default_factory=dict)


@dataclass
class _Sent:
    """The prefixes that were sent."""

    root: _Prefix = field(default_factory=_Prefix)

    def send(self, shared: Iterable[tuple[str, int]]) -> int:
        """Send the leading parts of a prompt.

        Returns:
            Tokens of the longest prefix that was sent before, 0 where it is too short to cache.
        """
        here, cached, known = self.root, 0, True
        for part, tokens in shared:
            known = known and part in here.longer
            here = here.longer.setdefault(part, _Prefix())
            cached += tokens if known else 0
        return cached if cached >= _LEAST_CACHED else 0


@dataclass
class _Sheet:
    """The sums of some calls."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    points: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    limited: bool = True

    def add(self, call: PlannedCall, cached: int, tariff: Tariff | None) -> None:
        limit = call.output_limit
        expected = call.output_tokens if limit is None else min(call.output_tokens, limit)
        usage = Usage(
            input_tokens=sum(tokens for _, tokens in call.shared) + call.own_tokens,
            cached_tokens=cached,
            output_tokens=expected,
        )
        self.calls += 1
        self.usage += usage
        self.points.append(call.points)
        self.limited = self.limited and limit is not None
        if tariff is not None:
            longest = usage.model_copy(update={"output_tokens": limit or expected})
            self.low.append(tariff.cost(usage))
            self.high.append(tariff.cost(longest))

    def row(self, *, priced: bool) -> ForecastRow:
        return ForecastRow(
            calls=self.calls,
            input_tokens=self.usage.input_tokens,
            cached_tokens=self.usage.cached_tokens,
            output_tokens=self.usage.output_tokens,
            points=math.fsum(self.points),
            low=math.fsum(self.low) if priced else None,
            high=math.fsum(self.high) if priced and self.limited else None,
        )
