"""The models of one run: each asked through the ledger, all under one account.

run.py      `Connection`, which gives judges their models, and `Spending`, its limits
bills.py    what an attempt counts, as the ledger keeps it
traffic.py  what goes on at one moment, for whoever watches
"""

from rubric_engine.connection.run import LEDGER, NO_LIMIT, Connection, Spending
from rubric_engine.connection.traffic import Traffic

__all__ = ["LEDGER", "NO_LIMIT", "Connection", "Spending", "Traffic"]
