"""What a run keeps beside its grades, so that it can be resumed and explained.

task.py     the task without its rubric, as plain values
judge.py    the judge: its effective card, prompts and members, as files
receipts.py what judges were not shown
ran.py      the run of its script
inputs.py   the list of all that was kept, sealed, so that nobody else's files are taken for ours
keeping.py  writes all of these as they become known
"""

from rubric_engine.kept.inputs import (
    AGENT_LOG,
    Caps,
    Inputs,
    keyed,
    read_inputs,
)
from rubric_engine.kept.judge import load_kept_judge
from rubric_engine.kept.keeping import Keeper
from rubric_engine.kept.ran import kept_texts, load_kept_execution
from rubric_engine.kept.receipts import ReceiptBook, find_receipt, kept_receipts
from rubric_engine.kept.task import load_kept_task, task_values

__all__ = [
    "AGENT_LOG",
    "Caps",
    "Inputs",
    "Keeper",
    "ReceiptBook",
    "find_receipt",
    "kept_receipts",
    "kept_texts",
    "keyed",
    "load_kept_execution",
    "load_kept_judge",
    "load_kept_task",
    "read_inputs",
    "task_values",
]
