"""The packaged price list: finds a model by the address it is asked at, and reads its rates.

A wrong match is worse than none. At a vendor's own address, the vendor's list decides. At an
address that no list knows, a model is found only by its exact name, and only where its vendor
alone runs it; on this machine or in a private network anything may hide behind a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rubric_engine.addresses import is_local
from rubric_engine.model import ModelConfig
from rubric_engine.spending.tariff import Rates, Tariff, dearest

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider

_CLOSED = ("openai", "anthropic", "google", "x-ai")
_OPEN_WEIGHTS = ("gpt-oss", "gemma")  # of these vendors, but run by anyone
_USUAL = ("auto", "default", "standard", "standard_only")
_HALF_HOURS = tuple(timedelta(minutes=30 * step) for step in range(48))


def listed_tariff(config: ModelConfig, at: datetime) -> Tariff | None:
    """Read a model's tariff from the list.

    Args:
        config: The model, its endpoint, and what is sent along (a service tier has its own price).
        at: When it is asked. Where the price changes within a day, the dearest holds.

    Returns:
        The tariff, or None where the list has none for sure.
    """
    found = _find(config)
    if found is None:
        return None
    provider, model = found
    context = _context(config)
    if not _offers(model, context, at):
        return None
    prices = [model.get_prices(at + step, context) for step in _HALF_HOURS]
    if any(price.input_mtok is None or price.output_mtok is None for price in prices):
        return None
    writes = "claude" not in model.id or "cache_control" in config.extra_body
    rates = tuple(
        dearest(above, (_rates(price, above, writes=writes) for price in prices))
        for above in _thresholds(prices)
    )
    return Tariff(rates, source=f"list price of {model.id} at {provider.name}")


def listed_window(config: ModelConfig) -> int | None:
    """The context window that the list tells of a model, in tokens; None where it tells none.

    It is all that a model takes, prompt and answer; vendors may allow less for a prompt.
    """
    found = _find(config)
    return None if found is None else found[1].context_window


def _find(config: ModelConfig) -> tuple[Provider, ModelInfo] | None:
    from genai_prices.data_snapshot import get_snapshot

    providers = get_snapshot().providers
    name = config.name.lower()
    host, path = _address(config.base_url)
    for provider in providers:
        if _serves(provider.api_pattern, host, path):
            model = provider.find_model(name, all_providers=providers)
            return None if model is None else (provider, model)
    if is_local(config.base_url) or name.startswith(_OPEN_WEIGHTS):
        return None
    return _by_name(providers, name)


def _by_name(providers: Sequence[Provider], name: str) -> tuple[Provider, ModelInfo] | None:
    """The model of a vendor that alone runs it, by its exact name."""
    by_id = {provider.id: provider for provider in providers}
    owners = (by_id[vendor] for vendor in _CLOSED if vendor in by_id)
    found = ((owner, model) for owner in owners for model in owner.models)
    return next(((owner, model) for owner, model in found if name in _exact_names(model)), None)


def _address(base_url: str) -> tuple[str, str]:
    """Host and path of an address; both empty where it is none."""
    try:
        parts = urlsplit(base_url)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""


def _serves(pattern: str, host: str, path: str) -> bool:
    """Whether a vendor's pattern is about this host, and not one that only begins like it."""
    start = f"https://{host}"
    match = re.match(pattern, start + path)
    if match is None or "/" in match.group().removeprefix("https://")[: len(host)]:
        return False
    return match.end() >= len(start) or match.group().endswith(".")


def _exact_names(model: ModelInfo) -> Iterator[str]:
    """Names that mean this model and nothing else."""
    from genai_prices.types import ClauseEquals, ClauseOr

    yield model.id.lower()
    clauses = model.match.or_ if isinstance(model.match, ClauseOr) else [model.match]
    for clause in clauses:
        if isinstance(clause, ClauseEquals):
            yield clause.equals.lower()


def _context(config: ModelConfig) -> dict[str, str]:
    """What is sent along that changes the price."""
    sent = {name: config.extra_body.get(name) for name in ("service_tier", "speed")}
    return {name: str(value) for name, value in sent.items() if value not in (None, *_USUAL)}


def _offers(model: ModelInfo, context: dict[str, str], at: datetime) -> bool:
    """Whether the list has a price for each thing that changes it."""
    active = [
        variant.when
        for variant in model.price_variants or ()
        if variant.constraint is None or variant.constraint.active(at)
    ]
    return all({name: value} in active for name, value in context.items())


def _thresholds(prices: Iterable[ModelPrice]) -> list[int]:
    """Lengths of a prompt above which some rate changes, in tokens."""
    starts = {-1}
    for price in prices:
        for rate in vars(price).values():
            starts |= {tier.start for tier in getattr(rate, "tiers", ())}
    return sorted(starts)


def _rates(price: ModelPrice, above: int, *, writes: bool) -> Rates:
    """The rates of a prompt just longer than a threshold.

    Vendors that cache by themselves may charge more for what they write to the cache than for
    what they only read. Usage does not tell the two apart, so all that was not cached counts as
    written: the cost is never below the bill.
    """
    plain = _rate(price.input_mtok, above)
    written = _rate(price.cache_write_mtok, above) if writes else plain
    cached = price.cache_read_mtok
    return Rates(
        above=above,
        input=max(plain, written),
        cached=plain if cached is None else _rate(cached, above),
        output=_rate(price.output_mtok, above),
        call=_rate(price.requests_kcount, above) / 1000,
    )


def _rate(price: Any, above: int) -> Decimal:
    """One rate at a length; prices of the list are numbers, tiers of numbers, or left out."""
    if price is None:
        return Decimal(0)
    if isinstance(price, Decimal):
        return price
    reached = [tier.price for tier in price.tiers if tier.start <= above]
    return Decimal(reached[-1] if reached else price.base)
