"""Dollars as people read them."""

from __future__ import annotations

UNPRICED = "unpriced"
"""Stands where no price is known; never a zero."""


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
