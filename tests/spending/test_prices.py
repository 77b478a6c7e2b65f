"""Prices: the card's, the packaged list's, and none where it is not sure."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.model import ModelConfig, Price, Usage
from rubric_engine.spending import Rates, Tariff, price_of, show_dollars

OPENAI = "https://api.openai.com/v1"
ANTHROPIC = "https://api.anthropic.com/v1/"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai/"
AT = datetime(2026, 11, 1, 12, 15, tzinfo=UTC)


def tariff_of(name: str, base_url: str, **more: Any) -> Tariff:
    tariff = price_of(ModelConfig(name=name, base_url=base_url, **more), at=AT)
    assert tariff is not None
    return tariff


def usage(input_tokens: int, cached: int, output: int) -> Usage:
    return Usage(input_tokens=input_tokens, cached_tokens=cached, output_tokens=output)


@pytest.mark.parametrize(
    ("name", "base_url", "used", "dollars"),
    [
        # 4 a million, 5 where it goes into the cache, 0.4 out of it, 20 for the answer
        ("gpt-5.6", OPENAI, usage(100_000, 0, 1_000), 0.5 + 0.02),
        ("gpt-5.6", OPENAI, usage(100_000, 90_000, 1_000), 0.05 + 0.036 + 0.02),
        ("gpt-5.6", OPENAI, usage(272_000, 0, 0), 1.36),
        # past 272,000 tokens all of a call costs the long-context rates
        ("gpt-5.6", OPENAI, usage(272_001, 0, 0), 2.72001),
        ("gpt-5.6", OPENAI, usage(300_000, 200_000, 1_000), 1.0 + 0.16 + 0.03),
        # this vendor caches only what it is asked to cache
        ("claude-sonnet-4-5", ANTHROPIC, usage(100_000, 50_000, 1_000), 0.15 + 0.015 + 0.015),
        ("claude-sonnet-4-5", ANTHROPIC, usage(200_001, 0, 0), 1.200006),
        ("gemini-2.5-pro", GEMINI, usage(100_000, 0, 1_000), 0.125 + 0.01),
        ("gemini-2.5-pro", GEMINI, usage(400_000, 300_000, 1_000), 0.25 + 0.075 + 0.015),
    ],
)
def test_list_prices_with_cache_and_tiers(
    name: str, base_url: str, used: Usage, dollars: float
) -> None:
    assert tariff_of(name, base_url).cost(used) == pytest.approx(dollars, rel=1e-12)


def test_a_bound_counts_nothing_as_cached_and_the_dearest_tier_that_can_apply() -> None:
    tariff = tariff_of("gpt-5.6", OPENAI)
    assert tariff.bound(272_000, 1_000) == pytest.approx(1.36 + 0.02)
    assert tariff.bound(272_001, 1_000) == pytest.approx(2.72001 + 0.03)


def test_asking_for_the_cache_is_priced_as_writing_to_it() -> None:
    more = {"extra_body": {"cache_control": {"type": "ephemeral"}}}
    tariff = tariff_of("claude-sonnet-4-5", ANTHROPIC, **more)
    assert tariff.cost(usage(100_000, 0, 0)) == pytest.approx(0.375)


def test_a_service_tier_has_its_own_price_or_none() -> None:
    flex = tariff_of("gpt-5.6", OPENAI, extra_body={"service_tier": "flex"})
    assert flex.cost(usage(100_000, 0, 1_000)) == pytest.approx(0.25 + 0.01)
    default = tariff_of("gpt-5.6", OPENAI, extra_body={"service_tier": "default"})
    assert default == tariff_of("gpt-5.6", OPENAI)
    unknown = ModelConfig(name="gpt-5.6", extra_body={"service_tier": "scale"})
    assert price_of(unknown, at=AT) is None


def test_a_price_that_changes_over_the_day_counts_at_its_dearest() -> None:
    early, late = (datetime(2026, 11, 1, hour, tzinfo=UTC) for hour in (3, 20))
    config = ModelConfig(name="deepseek-chat", base_url="https://api.deepseek.com")
    assert price_of(config, at=early) == price_of(config, at=late)
    tariff = price_of(config, at=late)
    assert tariff is not None
    assert tariff.cost(usage(1_000_000, 0, 0)) == pytest.approx(0.27)


def test_the_price_of_an_earlier_date_is_that_of_the_date() -> None:
    before = price_of(ModelConfig(name="gpt-5.6"), at=datetime(2026, 8, 1, tzinfo=UTC))
    assert before is not None
    assert before.cost(usage(0, 0, 1_000_000)) == pytest.approx(30)


@pytest.mark.parametrize(
    ("name", "base_url"),
    [
        ("gpt-5.6", "https://llm.example.com/v1"),
        ("GPT-5.6", "https://API.openai.com:443/v1"),
        ("gpt-5.6", "http://api.openai.com/v1"),
        ("claude-opus-4-8", "https://llm.example.com/v1"),
        ("kimi-k2-0905-preview", "https://api.moonshot.ai/v1"),
        ("gpt-4o", "https://mine.openai.azure.com/openai/v1"),
        ("openai/gpt-5", "https://openrouter.ai/api/v1"),
    ],
)
def test_found_by_address_else_by_exact_name(name: str, base_url: str) -> None:
    assert "list price" in tariff_of(name, base_url).source


@pytest.mark.parametrize(
    ("name", "base_url"),
    [
        ("gpt-5.6", "http://localhost:8000/v1"),  # anything may hide behind a name here
        ("gpt-4o", "http://127.0.0.1:11434/v1"),
        ("gpt-4o", "http://192.168.1.7/v1"),
        ("gpt-4o", "http://gpu-box:8000/v1"),
        ("gpt-4o", "http://[::1]:8000/v1"),
        ("gpt-oss-20b", "https://llm.example.com/v1"),  # open weights, anybody's price
        ("mistral-large-latest", "https://llm.example.com/v1"),
        ("claude-opus-4-8-tuned", "https://llm.example.com/v1"),  # only begins like a known one
        ("gemini-2.5-pro-tuned", "https://api.openai.com.example.com/googleapis.com"),
        ("gpt-99", OPENAI),
        ("claude-sonnet-4-5", OPENAI),  # the vendor at this address does not have it
        ("qwen3-32b", "http://localhost:8000/v1"),
        ("text-embedding-3-small", OPENAI),  # has no price for answers
        ("meta-llama/llama-3.3-70b-instruct:free", "https://openrouter.ai/api/v1"),
    ],
)
def test_unsure_is_unpriced(name: str, base_url: str) -> None:
    assert price_of(ModelConfig(name=name, base_url=base_url), at=AT) is None


def test_the_card_goes_before_the_list() -> None:
    config = ModelConfig(name="gpt-5.6", price=Price(input=1, output=2, cached=0.1))
    tariff = price_of(config)
    assert tariff is not None
    assert tariff.cost(usage(1_000_000, 500_000, 1_000_000)) == pytest.approx(0.5 + 0.05 + 2)


def test_a_card_without_a_cached_price_gives_no_discount() -> None:
    tariff = price_of(ModelConfig(name="x", price=Price(input=1, output=2)))
    assert tariff is not None
    assert tariff.cost(usage(1_000_000, 1_000_000, 0)) == tariff.bound(1_000_000, 0) == 1.0


def test_a_free_model_of_a_card_costs_nothing_and_says_so() -> None:
    tariff = price_of(ModelConfig(name="x", price=Price(input=0, output=0)))
    assert tariff is not None
    assert show_dollars(tariff.bound(10**9, 10**9)) == "$0.00"


rates = st.builds(
    Rates,
    st.just(-1),
    *(st.decimals(0, 100, places=4) for _ in range(3)),
    call=st.decimals(0, 1, places=4),
)


@st.composite
def tariffs(draw: st.DrawFn) -> Tariff:
    starts = sorted(draw(st.sets(st.integers(0, 500_000), max_size=3)))
    bands = [draw(rates)]
    bands += [
        Rates(start, *(draw(st.decimals(0, 100, places=4)) for _ in "ico")) for start in starts
    ]
    return Tariff(tuple(bands), source="drawn")


counts = st.integers(0, 1_000_000)


@given(tariffs(), counts, counts, counts, counts, counts)
def test_no_call_within_its_bounds_costs_more_than_the_bound(
    tariff: Tariff, bound_in: int, bound_out: int, used_in: int, cached: int, used_out: int
) -> None:
    used = usage(min(used_in, bound_in), cached, min(used_out, bound_out))
    assert 0 <= tariff.cost(used) <= tariff.bound(bound_in, bound_out)


@given(st.one_of(st.none(), st.floats(0, 1e9)))
def test_only_what_costs_nothing_shows_as_nothing(dollars: float | None) -> None:
    assert (show_dollars(dollars) == "$0.00") == (dollars == 0)


def test_decimals_of_a_card_are_taken_as_written() -> None:
    tariff = price_of(ModelConfig(name="x", price=Price(input=0.1, output=0.2)))
    assert tariff is not None
    assert tariff.rates[0].input == Decimal("0.1")
