"""A model that reads an agent's log for the monitor: its card, its calls, and what it said.

settings.py  what a card of kind `monitor` says
chunks.py    a long log in parts that fit
answer.py    what the model answers, and findings made of it
quotes.py    whether a quote stands in a part, and where
reader.py    `ModelMonitor`, which asks
cards.py     making one of a card, or of what a run kept
"""

from rubric_engine.monitoring.cards import KEPT, kept_monitor, load_monitor, monitor_files
from rubric_engine.monitoring.reader import Look, ModelMonitor, with_look

__all__ = [
    "KEPT",
    "Look",
    "ModelMonitor",
    "kept_monitor",
    "load_monitor",
    "monitor_files",
    "with_look",
]
