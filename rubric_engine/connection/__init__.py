"""The models of one run: each asked through the ledger, all under one account.

run.py      `Connection`, which gives judges their models
limits.py   `Spending`, what a run may spend
bills.py    what an attempt counts, as the ledger keeps it
costs.py    what a run has cost, as its ledger has it
together.py what several runs share that go on side by side
traffic.py  what goes on at one moment, for whoever watches
"""

from rubric_engine.connection.costs import LEDGER, paid_so_far
from rubric_engine.connection.limits import NO_LIMIT, Spending
from rubric_engine.connection.run import Connection
from rubric_engine.connection.together import Together
from rubric_engine.connection.traffic import Traffic

__all__ = ["LEDGER", "NO_LIMIT", "Connection", "Spending", "Together", "Traffic", "paid_so_far"]
