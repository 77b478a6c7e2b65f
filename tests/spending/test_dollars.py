"""Amounts as people read them: what is too much looks like it."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.spending import show_cap, show_least, show_most
from rubric_engine.spending.amounts import PARTS, exact

AMOUNTS = st.floats(0, 1e7, allow_nan=False)
PARTS_LEFT = st.integers(0, 10**4 * PARTS)


def read(shown: str) -> Decimal:
    """The number that a reader takes from it."""
    return Decimal(shown.removeprefix("$").replace(",", ""))


@given(PARTS_LEFT, st.one_of(st.integers(1, 10**6), st.integers(1, 10**16)))
def test_what_is_needed_looks_more_than_what_is_left(left: int, missing: int) -> None:
    needed = exact(left + missing)
    assert read(show_least(exact(left))) <= exact(left) < needed <= read(show_most(needed))


@given(AMOUNTS)
def test_rounding_adds_little(dollars: float) -> None:
    most, least, written = map(read, (show_most(dollars), show_least(dollars), show_cap(dollars)))
    assert least <= written <= most
    assert most - least <= max(Decimal("0.01") if dollars >= 0.1 else Decimal(0), written / 10)


@given(AMOUNTS)
def test_a_cap_is_shown_as_given(dollars: float) -> None:
    assert float(read(show_cap(dollars))) == dollars


@given(AMOUNTS)
def test_what_is_above_a_limit_looks_above_it(dollars: float) -> None:
    above = dollars * 1.000001 + 1e-9
    assert read(show_most(above)) > read(show_cap(dollars))
