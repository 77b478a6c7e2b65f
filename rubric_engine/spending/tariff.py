"""What one model's tokens cost, cached reads and long prompts counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from rubric_engine.model import Usage

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Rates:
    """Dollars for a million tokens of a call, from a length of its prompt on.

    Attributes:
        above: The rates hold for prompts of more tokens than this; -1 where they always do.
        input: What of the prompt was not cached.
        cached: What of it was.
        output: The answer.
        call: Dollars for the call itself.
    """

    above: int
    input: Decimal
    cached: Decimal
    output: Decimal
    call: Decimal = Decimal(0)

    def cost(self, uncached: int, cached: int, output: int) -> Decimal:
        """Dollars of a call."""
        tokens = self.input * uncached + self.cached * cached + self.output * output
        return tokens / _MILLION + self.call


@dataclass(frozen=True)
class Tariff:
    """What a model's tokens cost.

    Attributes:
        rates: By length of the prompt, the shortest first; the longest that applies holds for
            all tokens of a call.
        source: Where the price comes from, for people.
    """

    rates: tuple[Rates, ...]
    source: str

    def cost(self, usage: Usage) -> float:
        """Dollars of one call, as the server counted its tokens.

        A sum over several calls would be priced as one long prompt: add up what each costs.
        """
        cached = min(usage.cached_tokens, usage.input_tokens)
        rates = self._that_apply(usage.input_tokens)[-1]
        return float(rates.cost(usage.input_tokens - cached, cached, usage.output_tokens))

    def bound(self, input_tokens: int, output_tokens: int) -> float:
        """The most dollars that a call of at most so many tokens can cost.

        Nothing is cached, and each rate is the dearest that a prompt of that length can meet.
        """
        most = dearest(-1, self._that_apply(input_tokens))
        uncached = max(most.input, most.cached)
        return float(replace(most, input=uncached).cost(input_tokens, 0, output_tokens))

    def _that_apply(self, input_tokens: int) -> list[Rates]:
        return [rates for rates in self.rates if rates.above < input_tokens]


def dearest(above: int, candidates: Iterable[Rates]) -> Rates:
    """Join rates into ones that no candidate exceeds."""
    rates = list(candidates)
    return Rates(
        above=above,
        input=max(rate.input for rate in rates),
        cached=max(rate.cached for rate in rates),
        output=max(rate.output for rate in rates),
        call=max(rate.call for rate in rates),
    )
