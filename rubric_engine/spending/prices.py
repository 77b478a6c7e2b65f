"""The price of a judge card's model: the card's own, else the packaged list's."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from rubric_engine.model import ModelConfig, Price
from rubric_engine.spending.tariff import Rates, Tariff


def price_of(config: ModelConfig, *, at: datetime | None = None) -> Tariff | None:
    """Find what a model costs, without a network.

    Args:
        config: The model and its endpoint. Its `price` goes before any list.
        at: When it is asked; by default now. List prices change with the date.

    Returns:
        The tariff, or None where no price is known for sure: then it is unpriced, not free.
    """
    if config.price is not None:
        return _of_card(config.price)
    from rubric_engine.spending.listed import listed_tariff

    return listed_tariff(config, at or datetime.now(UTC))


def _of_card(price: Price) -> Tariff:
    cached = price.input if price.cached is None else price.cached
    rates = Rates(-1, *(Decimal(str(rate)) for rate in (price.input, cached, price.output)))
    return Tariff((rates,), source="the judge card")
