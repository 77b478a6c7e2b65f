"""`load_grades`: the grades of a tree that PaperBench or a judge of its kind has graded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from rubric_engine.errors import LabelsError, Place, Problem
from rubric_engine.grading import Grade
from rubric_engine.rubric_file.models import several
from rubric_engine.rubric_file.reader import criterion_places, load_tree


def load_grades(path: str | os.PathLike[str]) -> dict[str, Grade]:
    """Read the leaves' grades from a graded tree.

    Args:
        path: ``expected_result.json``, or an output that holds the tree as ``graded_task_tree``.

    Returns:
        Grade by key, for every leaf of ``load_rubric(path)``. A leaf whose ``valid_score`` is false
        is `ungradeable`: its judge failed, and its 0 is none. So is one whose score is null or
        missing, with the reason ``not_run``.

    Raises:
        RubricError: The tree itself is wrong.
        LabelsError: It carries no grades, a score is not a number from 0 to 1, or a ``valid_score``
            is neither true nor false; each with the place of its leaf.
    """
    tree = load_tree(path)
    if not tree.form.graded:
        raise LabelsError(
            f"{os.fspath(path)!r} is a rubric without grades",
            looked=["'score' in its root, or the tree under 'graded_task_tree'"],
            fix=["give a graded tree, such as expected_result.json or grader_output.json"],
        )
    leaves = [(key, node.raw) for key, node in zip(tree.keys, tree.nodes, strict=True) if node.leaf]
    wrong = {key: why for key, raw in leaves if (why := _wrong(raw))}
    if wrong:
        places = criterion_places(path)
        raise several(list(_problems(wrong, places)), LabelsError)
    return {key: _grade(raw) for key, raw in leaves}


def _problems(wrong: dict[str, str], places: dict[str, Place]) -> Iterator[Problem]:
    hint = "give a number from 0 to 1, or null where nobody gave a score"
    for key, why in wrong.items():
        yield Problem("E501", f"leaf {key!r}: {why}", places[key], key=key, hint=hint)


def _wrong(raw: dict[str, Any]) -> str | None:
    """What is wrong with the grade of a leaf."""
    valid, score = raw.get("valid_score"), raw.get("score")
    if valid is not None and not isinstance(valid, bool):
        return f"valid_score is {valid!r}; it is true, false or null"
    if score is None or valid is False:
        return None
    number = isinstance(score, int | float) and not isinstance(score, bool)
    if number and 0 <= score <= 1:
        return None
    return f"score is {score!r}; scores are numbers from 0 to 1"


def _grade(raw: dict[str, Any]) -> Grade:
    said = raw.get("explanation")
    explanation = said if isinstance(said, str) else ""
    if raw.get("valid_score") is False:
        return Grade.ungradeable("provider_error", explanation or "its judge marked it invalid")
    if raw.get("score") is None:
        return Grade.ungradeable("not_run", explanation or "the file has no score for it")
    return Grade.graded(raw["score"], explanation)
