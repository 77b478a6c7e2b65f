"""Judges made of judges: one after another, side by side, or one asked again and again."""

from rubric_engine.judges.combine.cascade import Cascade
from rubric_engine.judges.combine.composite import Composite
from rubric_engine.judges.combine.panel import Panel
from rubric_engine.judges.combine.relay import PASSED_ON
from rubric_engine.judges.combine.repeat import Repeat
from rubric_engine.judges.combine.settings import (
    COMBINED,
    CascadeSettings,
    CombinedSettings,
    PanelSettings,
    RepeatSettings,
    members_of,
)

__all__ = [
    "COMBINED",
    "PASSED_ON",
    "Cascade",
    "CascadeSettings",
    "CombinedSettings",
    "Composite",
    "Panel",
    "PanelSettings",
    "Repeat",
    "RepeatSettings",
    "members_of",
]
