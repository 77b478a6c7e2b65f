"""Runs of `reproduce.sh` that were made and are kept: a folder of one, a store of many."""

from rubric_engine.executed.folder import Executed, is_executed, load_executed
from rubric_engine.executed.running import STORE, earlier_run, run_or_reuse
from rubric_engine.executed.store import Store
from rubric_engine.executed.writing import require_free, write_executed

__all__ = [
    "STORE",
    "Executed",
    "Store",
    "earlier_run",
    "is_executed",
    "load_executed",
    "require_free",
    "run_or_reuse",
    "write_executed",
]
