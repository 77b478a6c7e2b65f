"""Dollars as people read them."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

UNPRICED = "unpriced"
"""Stands where no price is known; never a zero."""

_CENT = Decimal("0.01")


def show_dollars(dollars: float | None) -> str:
    """Write an amount with two decimals; no price is a word, and a little is never nothing.

    >>> show_dollars(1234.5), show_dollars(0.001), show_dollars(0.0), show_dollars(None)
    ('$1,234.50', '<$0.01', '$0.00', 'unpriced')
    """
    if dollars is None:
        return UNPRICED
    if 0 < dollars < 0.01:
        return "<$0.01"
    return f"${dollars:,.2f}"


def show_excess(tokens: float, dollars: float | None) -> str:
    """Write what was billed above a bound, in the units in which there is any.

    >>> show_excess(1200, 0.5), show_excess(0, 0.5), show_excess(1200, None)
    ('1,200 tokens and $0.50', '$0.50', '1,200 tokens')
    """
    told = [f"{tokens:,.0f} tokens"] if tokens else []
    return " and ".join([*told, show_dollars(dollars)] if dollars else told)


def show_most(dollars: float | Decimal) -> str:
    """Write what is needed or may be spent: rounded up, so that it never looks smaller.

    Beside `show_least` and `show_cap`, what is too much also looks like it.

    >>> show_most(0.1001), show_most(0.000512), show_most(5.0), show_most(0.0)
    ('$0.11', '$0.00052', '$5.00', '$0.00')
    """
    return _rounded(dollars, ROUND_CEILING)


def show_least(dollars: float | Decimal) -> str:
    """Write what is left: rounded down, so that it never looks larger.

    >>> show_least(0.1099), show_least(0.000518), show_least(0.0)
    ('$0.10', '$0.00051', '$0.00')
    """
    return _rounded(dollars, ROUND_FLOOR)


def show_cap(dollars: float) -> str:
    """Write a limit as it was given, with two decimals at least.

    >>> show_cap(5), show_cap(0.1125), show_cap(1e-07)
    ('$5.00', '$0.1125', '$0.0000001')
    """
    return _written(_decimal(dollars))


def _rounded(dollars: float | Decimal, rounding: str) -> str:
    """Round to cents; below ten cents to two digits that say something."""
    exact = _decimal(dollars)
    step = _CENT
    if 0 < exact < 10 * _CENT:
        step = Decimal(1).scaleb(exact.adjusted() - 1)
    return _written(exact.quantize(step, rounding))


def _written(exact: Decimal) -> str:
    decimals = max(2, -int(exact.normalize().as_tuple().exponent))
    return f"${exact:,.{decimals}f}"


def _decimal(dollars: float | Decimal) -> Decimal:
    """The number that a person would write."""
    return dollars if isinstance(dollars, Decimal) else Decimal(repr(dollars))
