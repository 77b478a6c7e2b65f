"""The seam to sandboxes.

asked.py      what is asked of one (`RunSpec`)
execution.py  what came of it (`Execution`)
sandbox.py    what one is (`Sandbox`)
"""

from rubric_engine.isolation.asked import SCRIPT, SETUP, Network, RunSpec
from rubric_engine.isolation.execution import (
    Device,
    Execution,
    ExecutionStatus,
    Log,
    LogFile,
    Omitted,
)
from rubric_engine.isolation.sandbox import Conditions, Repeatable, Sandbox
from rubric_engine.limits import LEAST_MEMORY, Limits

__all__ = [
    "LEAST_MEMORY",
    "SCRIPT",
    "SETUP",
    "Conditions",
    "Device",
    "Execution",
    "ExecutionStatus",
    "Limits",
    "Log",
    "LogFile",
    "Network",
    "Omitted",
    "Repeatable",
    "RunSpec",
    "Sandbox",
]
