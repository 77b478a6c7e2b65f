"""The ledger: every paid call, stored before its answer is used, in one SQLite file.

values.py    what is kept of a call, and what the ledger tells of itself
keys.py      the key of a call: a hash of everything that was requested
process.py   who holds a claim, and whether they still live
schema.py    the tables and their migrations
opening.py   connections, and SQLite's errors in our words
writer.py    one thread that writes for all, many callers to one sync
turns.py     one task at a time for each key, within this process
claims.py    one process at a time for each key
desk.py      claims as tasks see them: waiting, committing, giving up
calls.py     prompts and answers, in and out of the tables
billing.py   what attempts cost
capable.py   what endpoints take
upkeep.py    sizes, pruning, run references
reading.py   `LedgerReader`, which only looks
store.py     `Ledger`, which joins them
recorded.py  `RecordedModel`: a chat model that never pays twice
decision_entries.py    questions and answers of a decision model, as calls and entries
recorded_decisions.py  `RecordedDecisions`: the same for a decision model, question by question
"""

from rubric_engine.ledger.decision_entries import question_call
from rubric_engine.ledger.keys import Call, call_key
from rubric_engine.ledger.reading import LedgerReader
from rubric_engine.ledger.recorded import RecordedModel
from rubric_engine.ledger.recorded_decisions import RecordedDecisions
from rubric_engine.ledger.store import Ledger
from rubric_engine.ledger.values import (
    BilledAttempt,
    Claim,
    CountedAnswer,
    Entry,
    Info,
    Outcome,
    Pruned,
    Spent,
)

__all__ = [
    "BilledAttempt",
    "Call",
    "Claim",
    "CountedAnswer",
    "Entry",
    "Info",
    "Ledger",
    "LedgerReader",
    "Outcome",
    "Pruned",
    "RecordedDecisions",
    "RecordedModel",
    "Spent",
    "call_key",
    "question_call",
]
