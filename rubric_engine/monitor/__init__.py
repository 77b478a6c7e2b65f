"""Was a submission's result honestly come by? Rules, with evidence; a person decides.

Pure: texts, a submission and its run in, findings out. No score is changed by it.
"""

from rubric_engine.monitor.finding import Draft, findings_of
from rubric_engine.monitor.watched import Text, Watched
from rubric_engine.monitor.watching import monitor
from rubric_engine.monitored import (
    Area,
    AreaOutcome,
    Claims,
    MonitorFinding,
    MonitorReport,
    MonitorVerdict,
    Severity,
    Source,
)

__all__ = [
    "Area",
    "AreaOutcome",
    "Claims",
    "Draft",
    "MonitorFinding",
    "MonitorReport",
    "MonitorVerdict",
    "Severity",
    "Source",
    "Text",
    "Watched",
    "findings_of",
    "monitor",
]
