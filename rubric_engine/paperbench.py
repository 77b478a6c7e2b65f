"""PaperBench's own format of a graded rubric, `grader_output.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rubric_engine.errors import InputError

if TYPE_CHECKING:
    from rubric_engine.result import Report


def grader_output(report: Report) -> str:
    """Write a report in that format; see `Report.to_paperbench`."""
    judge = report.provenance.get("judge", {})
    output = {
        "judge_type": judge.get("name", ""),
        "score": report.score.value or 0.0,
        "num_leaf_nodes": len(report.rubric.leaves()),
        "num_invalid_leaf_nodes": report.statuses["ungradeable"],
        "graded_at": report.provenance.get("graded_at", ""),
        "graded_task_tree": _tree(report),
        "completer_config": None,
        "token_usage": None,
    }
    try:
        return json.dumps(output, indent=4)
    except RecursionError:
        raise InputError("the rubric is too deep for PaperBench's nested format") from None


def _tree(report: Report) -> dict[str, Any]:
    nodes = {key: _node(report, key) for key in report.rubric}
    for key in report.rubric:
        nodes[key]["sub_tasks"] = [nodes[child] for child in report.rubric.children(key)]
    root = nodes[report.rubric.root]
    if report.disqualified is not None:
        root |= {"score": 0.0, "explanation": f"Disqualified: {report.disqualified}"}
    return root


def _node(report: Report, key: str) -> dict[str, Any]:
    criterion, score = report.rubric[key], report.scores[key]
    grade = report.grades.get(key)
    if report.rubric.is_leaf(key):
        valid = grade is not None and grade.status == "graded"
    else:
        valid = score.value is not None
    return {
        "id": key,
        "requirements": criterion.requirements,
        "weight": criterion.weight,
        "score": score.value or 0.0,
        "valid_score": valid,
        "task_category": criterion.task_category,
        "finegrained_task_category": criterion.finegrained_task_category,
        "explanation": grade.explanation if grade else "Aggregated from the sub-tasks.",
        "judge_metadata": None,
        "sub_tasks": [],
    }
