"""Canaries: criteria that are certainly false of a submission. Pure.

A judge that calls one met is not to be trusted.
"""

from rubric_engine.canary.choosing import Foreign, Known, false_here
from rubric_engine.canary.outcome import COUNTS, AskedCanary, CanaryOutcome
from rubric_engine.canary.rubric import mixed
from rubric_engine.canary.settings import CanarySettings

__all__ = [
    "COUNTS",
    "AskedCanary",
    "CanaryOutcome",
    "CanarySettings",
    "Foreign",
    "Known",
    "false_here",
    "mixed",
]
