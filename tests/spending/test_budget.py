"""The cap holds whatever is reserved, settled and billed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import BudgetError, UsageError
from rubric_engine.ledger import Spent
from rubric_engine.model import ModelConfig, OverBudget, Price, Usage
from rubric_engine.reserved import Excess, Reservation
from rubric_engine.spending import (
    Account,
    Budget,
    Rates,
    Tariff,
    price_of,
    show_dollars,
)

CONFIG = ModelConfig(name="some", price=Price(input=4, output=20, cached=0.4))
TARIFF = Tariff(
    (
        Rates(-1, Decimal(4), Decimal("0.4"), Decimal(20)),
        Rates(2_000, Decimal(8), Decimal("0.8"), Decimal(30)),
    ),
    source="test",
)


def budget(tariff: Tariff | None = TARIFF, **caps: Any) -> Budget:
    return Budget(tariff, config=CONFIG, account=Account(**caps))


def used(input_tokens: int, output: int, cached: int = 0) -> Usage:
    return Usage(input_tokens=input_tokens, cached_tokens=cached, output_tokens=output)


@st.composite
def steps(draw: st.DrawFn) -> list[tuple[str, int, int, int]]:
    """What happens: reserve, settle the n-th open one on a share, or without usage."""
    kinds = st.sampled_from(["reserve", "settle", "lost"])
    numbers = st.integers(0, 5_000)
    return draw(st.lists(st.tuples(kinds, numbers, numbers, numbers), max_size=60))


@given(steps(), st.floats(0, 0.5), st.one_of(st.none(), st.integers(0, 40_000)))
def test_spent_and_reserved_never_pass_the_cap_and_equal_a_recount(
    sequence: list[tuple[str, int, int, int]], max_cost: float, max_tokens: int | None
) -> None:
    meter = budget(max_cost=max_cost, max_tokens=max_tokens)
    open_: list[Reservation] = []
    settled: list[tuple[Reservation, Usage | None]] = []
    for kind, a, b, c in sequence:
        if kind == "reserve":
            try:
                open_.append(meter.reserve(a, b))
            except OverBudget:
                assert too_much(open_, settled, (a, b), max_cost, max_tokens)
        elif open_:
            reservation = open_.pop(a % len(open_))
            usage = None if kind == "lost" else share(reservation, b, c)
            meter.settle(reservation, usage)
            settled.append((reservation, usage))
        spent, spent_tokens = recount(settled)
        reserved = sum((bound(each) for each in open_), Decimal(0))
        assert meter.account.spent_dollars == pytest.approx(float(spent), abs=1e-9)
        assert meter.account.reserved_dollars == pytest.approx(float(reserved), abs=1e-9)
        assert meter.account.spent_tokens == spent_tokens
        assert spent + reserved <= Decimal(max_cost) + Decimal("1e-9")
        assert (
            max_tokens is None
            or meter.account.spent_tokens + meter.account.reserved_tokens <= max_tokens
        )
    assert meter.account.excess is None


def share(reservation: Reservation, b: int, c: int) -> Usage:
    input_tokens = min(b, reservation.input_bound)
    return used(input_tokens, min(c, reservation.output_bound or 0), min(c, input_tokens))


def bound(reservation: Reservation) -> Decimal:
    return by_hand(used(reservation.input_bound, reservation.output_bound or 0))


def by_hand(usage: Usage) -> Decimal:
    """Dollars at the rates of TARIFF, counted another way."""
    long = usage.input_tokens > 2_000
    fresh = usage.input_tokens - usage.cached_tokens
    rates = [Decimal(rate) for rate in (("8", "0.8", "30") if long else ("4", "0.4", "20"))]
    tokens = (fresh, usage.cached_tokens, usage.output_tokens)
    return (
        sum((Decimal(n) * rate for n, rate in zip(tokens, rates, strict=True)), Decimal(0)) / 10**6
    )


def recount(settled: list[tuple[Reservation, Usage | None]]) -> tuple[Decimal, int]:
    dollars, tokens = Decimal(0), 0
    for reservation, usage in settled:
        whole = used(reservation.input_bound, reservation.output_bound or 0)
        counted = whole if usage is None else usage
        dollars += by_hand(counted)
        tokens += counted.input_tokens + counted.output_tokens
    return dollars, tokens


def too_much(
    open_: list[Reservation],
    settled: list[tuple[Reservation, Usage | None]],
    asked: tuple[int, int],
    max_cost: float,
    max_tokens: int | None,
) -> bool:
    everything = [*settled, *((each, None) for each in open_), (Reservation(*asked), None)]
    dollars, tokens = recount(everything)
    over_tokens = max_tokens is not None and tokens > max_tokens
    return over_tokens or dollars > Decimal(max_cost) - Decimal("1e-9")


def test_a_cap_that_divides_evenly_is_used_to_the_last_cent() -> None:
    tenth = price_of(ModelConfig(name="x", price=Price(input=0.1, output=0)))
    meter = budget(tenth, max_cost=1.0)
    for _ in range(10):
        meter.settle(meter.reserve(1_000_000, 0), None)
    assert meter.account.spent_dollars == 1.0
    with pytest.raises(
        OverBudget, match=r"cost \$0\.0000001; \$0\.00 is left of --max-cost \$1\.00"
    ):
        meter.reserve(1, 0)


def test_what_was_given_back_can_be_reserved_again() -> None:
    meter = budget(max_tokens=100)
    first = meter.reserve(60, 20)
    with pytest.raises(OverBudget, match="30 tokens; 20 are left of --max-tokens 100") as caught:
        meter.reserve(30, 0)
    assert caught.value.reason == "budget"
    meter.settle(first, used(10, 10))
    assert meter.reserve(80, 0).input_bound == 80


def test_what_nobody_knows_to_be_paid_counts_and_the_message_says_so() -> None:
    lost = Spent(
        usage=used(70, 20), dollars=0.9, uncounted=2, uncounted_tokens=80, uncounted_dollars=0.8
    )
    told = r"; up to {} of what is spent are 2 requests whose usage is unknown$"
    for cap, words in (({"max_tokens": 100}, "80 tokens"), ({"max_cost": 1.0}, r"\$0\.80")):
        meter = budget(spent=lost, **cap)
        with pytest.raises(OverBudget, match="would do for it" + told.format(words)) as caught:
            meter.reserve(1_000_000, 0)
        assert "resume RUN --max-" in caught.value.fix


def test_a_reservation_is_settled_once() -> None:
    meter = budget()
    reservation = meter.reserve(10, 10)
    meter.settle(reservation, None)
    with pytest.raises(KeyError):
        meter.settle(reservation, None)
    assert meter.account.reserved_tokens == 0


def test_earlier_parts_of_the_run_count() -> None:
    earlier = Spent(usage=used(1_000, 500), dollars=0.9)
    meter = budget(max_cost=1.0, spent=earlier)
    assert (meter.account.spent_tokens, meter.account.spent_dollars) == (1_500, 0.9)
    with pytest.raises(OverBudget):
        meter.reserve(1_000, 10_000)


def test_what_was_paid_without_a_price_counts_at_the_dearest() -> None:
    earlier = Spent(usage=used(1_000_000, 0), dollars=0.5, unpriced=3)
    assert budget(max_cost=20, spent=earlier).account.spent_dollars == pytest.approx(0.5 + 8)


@pytest.mark.parametrize(
    ("caps", "usage", "excess"),
    [
        ({"max_cost": 1.0}, used(1_000, 150), Excess(1, 50, 0.001)),
        ({"max_tokens": 5_000}, used(1_200, 100), Excess(1, 200, 0.0008)),
        ({"max_cost": 1.0}, used(2_001, 0, cached=2_000), None),  # more tokens, fewer dollars
        ({"max_tokens": 5_000}, used(1_000, 99), None),
        ({}, used(9_000, 9_000), None),  # nothing relies on the bound
    ],
)
def test_a_bill_above_its_reservation(
    caps: dict[str, Any], usage: Usage, excess: Excess | None
) -> None:
    meter = budget(**caps)
    meter.settle(meter.reserve(1_000, 100), usage)
    assert meter.account.spent_tokens == usage.input_tokens + usage.output_tokens
    if excess is None:
        assert meter.account.excess is None
        meter.reserve(1, 1)
        return
    assert meter.account.excess is not None
    assert (meter.account.excess.attempts, meter.account.excess.tokens) == (
        excess.attempts,
        excess.tokens,
    )
    assert meter.account.excess.dollars == pytest.approx(excess.dollars)
    told = r"<\$0\.01" if "max_cost" in caps else f"{excess.tokens} tokens"
    with pytest.raises(BudgetError, match=f"billed {told} above") as caught:
        meter.reserve(1, 1)
    assert (caught.value.code, caught.value.exit_code) == ("E602", 6)


def test_an_excess_is_told_in_the_unit_of_its_cap() -> None:
    free = Tariff((Rates(-1, Decimal(10), Decimal(10), Decimal(0)),), source="test")
    meter = budget(free, max_cost=100)
    # Input above its bound, and less in all than was reserved: dollars alone are above.
    meter.settle(meter.reserve(1_000, 50_000), used(21_000, 0))
    with pytest.raises(BudgetError, match=r"the server billed \$0\.20 above what"):
        meter.reserve(1, 1)
    meter = budget(free, max_cost=100, max_tokens=100_000)
    meter.settle(meter.reserve(1_000, 0), used(21_000, 0))
    with pytest.raises(BudgetError, match=r"billed 20,000 tokens and \$0\.20 above what"):
        meter.reserve(1, 1)


def test_calls_under_way_add_to_the_excess() -> None:
    meter = budget(None, max_tokens=1_000)
    both = [meter.reserve(100, 100) for _ in range(2)]
    for reservation in both:
        meter.settle(reservation, used(100, 150))
    assert meter.account.excess == Excess(2, 100, None)
    with pytest.raises(BudgetError, match=r"billed 100 tokens above what was reserved for 2 of"):
        meter.reserve(1, 1)


def test_a_server_that_takes_no_output_limit_stops_a_capped_run() -> None:
    assert budget().reserve(10, None).output_bound is None
    with pytest.raises(BudgetError, match="takes no limit") as caught:
        budget(max_tokens=1_000).reserve(10, None)
    assert caught.value.code == "E603"


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_an_unpriced_model_never_shows_an_amount(bound_in: int, bound_out: int) -> None:
    meter = budget(None)
    reservation = meter.reserve(bound_in, bound_out)
    assert show_dollars(meter.account.reserved_dollars) == "unpriced"
    meter.settle(reservation, used(bound_in, bound_out))
    assert show_dollars(meter.account.spent_dollars) == "unpriced"


@pytest.mark.parametrize(
    ("tariff", "limit", "caps", "message"),
    [
        (None, 100, {"max_cost": 5.0}, "no price is known for 'some'"),
        (TARIFF, None, {"max_cost": 5.0}, "--max-cost cannot hold: nothing limits the answers"),
        (None, None, {"max_tokens": 5}, "--max-tokens cannot hold: nothing limits the answers"),
        (TARIFF, 100, {"max_cost": float("nan")}, "--max-cost must be a number of at least 0"),
        (TARIFF, 100, {"max_cost": float("inf")}, "--max-cost must be a number of at least 0"),
        (TARIFF, 100, {"max_tokens": -1}, "--max-tokens must be a number of at least 0"),
    ],
)
def test_a_cap_that_could_not_hold_is_refused(
    tariff: Tariff | None, limit: int | None, caps: dict[str, Any], message: str
) -> None:
    config = CONFIG.model_copy(update={"max_output_tokens": limit})
    with pytest.raises(UsageError, match=message) as caught:
        Budget(tariff, config=config, account=Account(**caps))
    assert caught.value.exit_code == 2


def test_without_a_cap_neither_price_nor_limit_is_needed() -> None:
    config = CONFIG.model_copy(update={"max_output_tokens": None})
    account = Account(spent=Spent(usage=used(5, 5), unpriced=1))
    meter = Budget(None, config=config, account=account)
    meter.settle(meter.reserve(10, None), None)
    assert meter.account.spent_tokens == 20


def test_all_models_of_a_run_spend_from_one_account() -> None:
    account = Account(max_cost=1.0)
    cheap, dear = (
        Budget(price_of(config), config=config, account=account)
        for config in (
            ModelConfig(name="cheap", price=Price(input=1, output=1)),
            ModelConfig(name="dear", price=Price(input=10, output=10)),
        )
    )
    held = cheap.reserve(300_000, 0)
    dear.settle(dear.reserve(50_000, 0), None)
    assert (account.spent_dollars, account.reserved_dollars) == (0.5, 0.3)
    with pytest.raises(OverBudget, match=r"\$0\.30; \$0\.20 is left of --max-cost \$1\.00"):
        dear.reserve(30_000, 0)
    cheap.settle(held, used(100_000, 0))
    dear.settle(dear.reserve(30_000, 0), used(60_000, 0))
    assert account.excess == Excess(1, 30_000, 0.3)
    with pytest.raises(BudgetError, match="billed"):  # whoever billed it, no cap holds any more
        cheap.reserve(1, 1)
