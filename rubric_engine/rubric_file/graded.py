"""`load_grades`: the grades of a tree that PaperBench or a judge of its kind has graded."""

from __future__ import annotations

import math
import os
from typing import Any

from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.rubric_file.reader import load_tree


def load_grades(path: str | os.PathLike[str]) -> dict[str, Grade]:
    """Read the leaves' grades from a graded tree.

    Args:
        path: ``expected_result.json``, or an output that holds the tree as ``graded_task_tree``.

    Returns:
        Grade by key, for every leaf of ``load_rubric(path)``. A leaf whose ``valid_score`` is false
        is `ungradeable`: its judge failed, and its 0 is none. So is one without a score.

    Raises:
        RubricError: The tree itself is wrong.
        LabelsError: It carries no grades, or a score is not a number from 0 to 1.
    """
    tree = load_tree(path)
    if not tree.form.graded:
        raise LabelsError(
            f"{os.fspath(path)!r} is a rubric without grades",
            looked=["'score' in its root, or the tree under 'graded_task_tree'"],
            fix=["give a graded tree, such as expected_result.json or grader_output.json"],
        )
    leaves = ((key, node.raw) for key, node in zip(tree.keys, tree.nodes, strict=True) if node.leaf)
    return {key: _grade(key, raw, os.fspath(path)) for key, raw in leaves}


def _grade(key: str, raw: dict[str, Any], file: str) -> Grade:
    said = raw.get("explanation")
    explanation = said if isinstance(said, str) else ""
    score = raw.get("score")
    if raw.get("valid_score") is False:
        return Grade.ungradeable("provider_error", explanation or "its judge marked it invalid")
    if score is None or (isinstance(score, float) and math.isnan(score)):
        return Grade.ungradeable("not_run", explanation or "the file has no score for it")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        message = f"score of {key!r} in {file!r} is {score!r}; scores are numbers from 0 to 1"
        raise LabelsError(message, key=key)
    return Grade.graded(score, explanation)
