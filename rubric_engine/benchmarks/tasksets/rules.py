"""The rules that a task may name, by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rubric_engine.benchmarks.tasksets.check_rules import (
    Absent,
    Contains,
    Defines,
    NumberClose,
    Regex,
)
from rubric_engine.benchmarks.tasksets.look_rules import (
    Columns,
    Exact,
    HasCitations,
    JsonKeys,
    JsonSchema,
    Length,
    WellFormed,
)
from rubric_engine.benchmarks.tasksets.rule import Rule
from rubric_engine.benchmarks.tasksets.task import SetTask

RULES: Mapping[str, type[Rule]] = MappingProxyType(
    {
        "absent": Absent,
        "columns": Columns,
        "contains": Contains,
        "defines": Defines,
        "exact": Exact,
        "has_citations": HasCitations,
        "json_keys": JsonKeys,
        "json_schema": JsonSchema,
        "length": Length,
        "number_close": NumberClose,
        "regex": Regex,
        "well_formed": WellFormed,
    }
)
"""Every rule by its name."""

NEEDS: Mapping[str, Callable[[SetTask], str | None]] = MappingProxyType(
    {
        "defines": lambda task: (
            None
            if task.expected_output.type == "code"
            else "goes with expected_output of type code alone"
        ),
        "columns": lambda task: (
            None
            if task.expected_output.type in ("table", "csv")
            else "goes with expected_output of type table or csv alone"
        ),
    }
)
"""Why a rule does not fit a task, by its name; None where it fits."""
