"""Stand-ins for the seams of the engine, for your tests and ours."""

from rubric_engine.testing.conformance import check_execution, check_sandbox
from rubric_engine.testing.judge_conformance import check_judge
from rubric_engine.testing.records import Record, Stats
from rubric_engine.testing.sandbox import FakeSandbox
from rubric_engine.testing.script import Script
from rubric_engine.testing.scripted_decisions import DecisionCall, ScriptedDecisions
from rubric_engine.testing.scripted_model import ModelCall, ScriptedModel
from rubric_engine.testing.scripted_server import ScriptedServer
from rubric_engine.testing.values import FAULT_KINDS, Fault, Reply, Request
from rubric_engine.testing.vendors import VENDORS, Vendor

__all__ = [
    "FAULT_KINDS",
    "VENDORS",
    "DecisionCall",
    "FakeSandbox",
    "Fault",
    "ModelCall",
    "Record",
    "Reply",
    "Request",
    "Script",
    "ScriptedDecisions",
    "ScriptedModel",
    "ScriptedServer",
    "Stats",
    "Vendor",
    "check_execution",
    "check_judge",
    "check_sandbox",
]
