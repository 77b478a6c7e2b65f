"""Lint: what is doubtful in a rubric that loads. Pure, and no rule asks a model.

What makes a file unreadable as a rubric is the loader's business (codes E2xx). No rule here is
an error on wording or shape, and none above info may fire on more than a twentieth of the leaves
of a rubric that people have used with success: a warning that is always there is not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rubric_engine.lint import asked, fields, shape, wording
from rubric_engine.lint.rule import Finding, Level, Refusals, Rule, Subject
from rubric_engine.rubric import Rubric

__all__ = ["RULES", "Finding", "Level", "Refusals", "Rule", "lint"]

_RULES = (
    Rule("R101", "warning", "vague word without a number", wording.vague),
    Rule("R102", "info", "several requirements in one leaf", wording.several),
    Rule("R103", "info", "leaf over 400 characters", wording.long),
    Rule("R104", "info", "leaf under 40 characters", wording.short),
    Rule("R105", "warning", "result leaf without number or comparison", wording.unmeasured_result),
    Rule("R106", "info", "hedge", wording.hedge),
    Rule("R107", "warning", "dangling reference", wording.dangling),
    Rule("R108", "info", "category looks wrong", wording.run_in_code),
    Rule("R109", "warning", "identical siblings", shape.twins),
    Rule("R110", "info", "five or more siblings of equal weight", shape.all_equal),
    Rule("R111", "warning", "leaf worth over 15 points", shape.heavy),
    Rule("R112", "info", "leaves worth under 0.01 points", shape.tiny),
    Rule("R113", "warning", "group with one child", shape.only_child),
    Rule("R114", "info", "more than 15 children", shape.wide),
    Rule("R116", "warning", "more than 8 levels below the root", shape.deep),
    Rule("R117", "info", "one child holds over 80 % of its group", shape.dominant),
    Rule("R118", "info", "odd number of $ signs", wording.broken_math),
    Rule("R119", "info", "weight 0", shape.weightless),
    Rule("R120", "info", "leaves and points of a category far apart", shape.lopsided),
    Rule("R131", "error", "pattern or JSON path that is none", fields.bad_pattern),
    Rule("R132", "info", "leaf about a run with checks of source only", fields.checks_source_only),
    Rule("R133", "warning", "depends on a criterion above it", fields.depends_on_ancestor),
    Rule("R134", "warning", "scale without 0 or 1", fields.open_scale),
    Rule("R135", "warning", "glob that leads out of the submission", fields.outside),
    Rule("R137", "error", "leaf without words", wording.silent),
    Rule(
        "R136", "warning", "at_least asks for more children than there are", fields.too_many_wanted
    ),
    Rule("R138", "warning", "metric over a category without a leaf", asked.without_leaf),
    Rule("R139", "warning", "metric that no grade changes", asked.settled),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.code: rule for rule in _RULES})
"""Every rule by its code."""


def lint(rubric: Rubric, refusals: Refusals = MappingProxyType({})) -> list[Finding]:
    """Say what is doubtful in a rubric.

    Args:
        rubric: The tree, as loaded.
        refusals: What says what is wrong with the texts of checks; those of a kind that it does
            not name go unchecked.

    Returns:
        Findings in document order, those of one criterion by code.
    """
    subject = Subject(rubric, refusals)
    position = {key: index for index, key in enumerate(rubric)}
    found = [
        Finding(rule.code, rule.level, message, key)
        for rule in RULES.values()
        for key, message in rule.check(subject)
    ]
    return sorted(found, key=lambda finding: (position[finding.key], finding.code))
