"""What the monitor said of a submission, and what people decided of it: values that reports hold.

finding.py   what was found, and the verdict that follows
decision.py  what a person says of a finding, and what follows for the score
settings.py  what a task says of it
"""

from rubric_engine.monitored.decision import Decision, MonitorDecision, MonitorOutcome
from rubric_engine.monitored.finding import (
    Area,
    AreaOutcome,
    Claims,
    MonitorFinding,
    MonitorReport,
    MonitorVerdict,
    Severity,
    Source,
)
from rubric_engine.monitored.settings import MonitorSettings, Policy

__all__ = [
    "Area",
    "AreaOutcome",
    "Claims",
    "Decision",
    "MonitorDecision",
    "MonitorFinding",
    "MonitorOutcome",
    "MonitorReport",
    "MonitorSettings",
    "MonitorVerdict",
    "Policy",
    "Severity",
    "Source",
]
