"""What calls cost: prices, the forecast before a run, and the cap that holds during it.

tariff.py    what one model's tokens cost
listed.py    the packaged price list, read without a network
prices.py    the tariff of a judge card's model
amounts.py   what a budget counts
caps.py      refuses a cap that could not hold
account.py   `Account`, which never lets a run pass its caps, whatever its models
budget.py    `Budget`, the meter of one model, which spends from an account
counting.py  how tokens are counted for a price
forecast.py  what planned calls would cost, by category
dollars.py   dollars as people read them
cost_words.py  what a run has cost, in words
"""

from rubric_engine.spending.account import Account
from rubric_engine.spending.amounts import AlreadySpent
from rubric_engine.spending.budget import Budget
from rubric_engine.spending.caps import check_caps
from rubric_engine.spending.counting import Counting, counting
from rubric_engine.spending.dollars import (
    UNPRICED,
    show_cap,
    show_dollars,
    show_least,
    show_most,
)
from rubric_engine.spending.forecast import Forecast, ForecastRow, PlannedCall, forecast
from rubric_engine.spending.listed import listed_window
from rubric_engine.spending.prices import price_of
from rubric_engine.spending.tariff import Rates, Tariff

__all__ = [
    "UNPRICED",
    "Account",
    "AlreadySpent",
    "Budget",
    "Counting",
    "Forecast",
    "ForecastRow",
    "PlannedCall",
    "Rates",
    "Tariff",
    "check_caps",
    "counting",
    "forecast",
    "listed_window",
    "price_of",
    "show_cap",
    "show_dollars",
    "show_least",
    "show_most",
]
