"""What planned calls would take."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.model import Usage
from rubric_engine.spending import PlannedCall, Rates, Tariff, forecast, show_dollars

TARIFF = Tariff(
    (
        Rates(-1, Decimal(4), Decimal("0.4"), Decimal(20)),
        Rates(272_000, Decimal(8), Decimal("0.8"), Decimal(30)),
    ),
    source="test",
)


def call(
    *shared: tuple[str, int], category: str = "Code", own: int = 100, limit: int | None = 1_000
) -> PlannedCall:
    return PlannedCall(category, 2.5, shared, own, 200, limit)


def test_what_an_earlier_call_sent_is_cached() -> None:
    paper, code, log = ("paper", 2_000), ("code", 3_000), ("log", 500)
    calls = [call(paper, code), call(paper, code), call(paper, log, category="Result")]
    found = forecast(calls, TARIFF)
    assert list(found.categories) == ["Code", "Result"]
    code_line, result_line = found.categories.values()
    assert (code_line.calls, code_line.input_tokens, code_line.cached_tokens) == (2, 10_200, 5_000)
    assert (result_line.input_tokens, result_line.cached_tokens) == (2_600, 2_000)
    assert code_line.low == pytest.approx((5_200 * 4 + 5_000 * 0.4 + 400 * 20) / 1e6)
    assert code_line.high == pytest.approx((5_200 * 4 + 5_000 * 0.4 + 2_000 * 20) / 1e6)
    assert found.total.cached_share == pytest.approx(7_000 / 12_800)
    assert found.total.points == 7.5


def test_a_part_is_cached_only_behind_the_same_parts() -> None:
    first, second = ("a", 2_000), ("b", 2_000)
    assert forecast([call(first, second), call(second, first)], None).total.cached_tokens == 0


@pytest.mark.parametrize(("tokens", "cached"), [(1_023, 0), (1_024, 1_024)])
def test_a_short_prefix_is_not_cached(tokens: int, cached: int) -> None:
    calls = [call(("a", tokens)), call(("a", tokens))]
    assert forecast(calls, None).total.cached_tokens == cached


def test_tiers_go_by_call_and_not_by_sum() -> None:
    short = [call(("a", 150_000)), call(("b", 150_000))]
    assert forecast(short, TARIFF).total.low == pytest.approx((300_200 * 4 + 400 * 20) / 1e6)
    long = forecast([call(("a", 300_000))], TARIFF).total
    assert long.low == pytest.approx((300_100 * 8 + 200 * 30) / 1e6)


def test_without_an_output_limit_there_is_no_upper_end() -> None:
    total = forecast([call(), call(limit=None)], TARIFF).total
    assert total.low is not None
    assert total.high is None


def test_an_answer_is_not_expected_to_pass_its_limit() -> None:
    total = forecast([call(limit=50)], TARIFF).total
    assert total.output_tokens == 50
    assert total.low == total.high


def test_no_calls_take_nothing() -> None:
    found = forecast([], TARIFF)
    assert (found.categories, found.total.calls, found.total.low) == ({}, 0, 0)
    assert found.total.cached_share == 0.0


parts = st.sampled_from([("a", 500), ("b", 900), ("c", 1_024), ("d", 300_000), ("e", 0)])
planned = st.builds(
    PlannedCall,
    category=st.sampled_from(["Code", "Run", "Result"]),
    points=st.floats(0, 100),
    shared=st.lists(parts, max_size=4).map(tuple),
    own_tokens=st.integers(0, 5_000),
    output_tokens=st.integers(0, 2_000),
    output_limit=st.integers(1, 4_096),
)


@given(st.lists(planned, max_size=12))
def test_sums_equal_a_recount(calls: list[PlannedCall]) -> None:
    found = forecast(calls, TARIFF)
    cached = [_cached(calls[:n], each) for n, each in enumerate(calls)]
    dollars = [
        TARIFF.cost(
            Usage(
                input_tokens=sum(n for _, n in each.shared) + each.own_tokens,
                cached_tokens=hit,
                output_tokens=min(each.output_tokens, each.output_limit or 0),
            )
        )
        for each, hit in zip(calls, cached, strict=True)
    ]
    lines = found.categories.values()
    assert found.total.cached_tokens == sum(cached) == sum(line.cached_tokens for line in lines)
    assert found.total.low == pytest.approx(sum(dollars))
    assert found.total.low == pytest.approx(sum(line.low or 0 for line in lines))
    assert found.total.calls == len(calls) == sum(line.calls for line in lines)
    assert all(line.low is not None and line.high is not None for line in lines)
    assert all((line.low or 0) <= (line.high or 0) for line in lines)
    assert 0 <= found.total.cached_share <= 1


def _cached(earlier: list[PlannedCall], call: PlannedCall) -> int:
    """The longest common beginning with any earlier call, compared one by one."""
    best = 0
    for other in earlier:
        common = 0
        for mine, theirs in zip(call.shared, other.shared, strict=False):
            if mine != theirs:
                break
            common += mine[1]
        best = max(best, common)
    return best if best >= 1_024 else 0


@given(st.lists(planned, max_size=5))
def test_an_unpriced_model_never_shows_an_amount(calls: list[PlannedCall]) -> None:
    found = forecast(calls, None)
    for line in (found.total, *found.categories.values()):
        assert show_dollars(line.low) == show_dollars(line.high) == "unpriced"
