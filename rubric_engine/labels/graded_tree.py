"""Labels as PaperBench keeps them: a graded tree, `expected_result.json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rubric_engine.errors import LabelsError
from rubric_engine.grading import MET_FROM, Grade, Score
from rubric_engine.labels.identity import leaf_hashes, shortened
from rubric_engine.labels.label import Label, Labels
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_grades, load_rubric
from rubric_engine.rubric_file.json_writer import json_of
from rubric_engine.scoring import propagate

GROUP = "Aggregated from the sub-tasks."
OPEN = "Leaves below have no score, so neither has this."
COULD_NOT = "The annotator could not judge."


def tree_text(labels: Labels, rubric: Rubric) -> str:
    """Write labels as a graded tree with PaperBench's nine keys a criterion.

    The score of a group follows from its leaves'; where leaves are open below that could change it,
    it is null and its `valid_score` false, for a hole is no 0. What an annotator could not judge
    has `valid_score` false; for a leaf that nobody labelled both are null.

    Args:
        labels: Labels of leaves of the rubric.
        rubric: The rubric.
    """
    scores = propagate(rubric, labels.grades(seen=True))
    levels = rubric.levels
    nodes = ((levels[key], _node(key, rubric, labels, scores[key])) for key in rubric.order)
    return json_of(None, nodes)


def read_tree(path: Path) -> Labels:
    """Read the grades of a graded tree as labels, with the hashes of the rubric inside it.

    Raises:
        RubricError: The tree itself is wrong.
        LabelsError: It carries no grades, or one is no label.
    """
    hashes = leaf_hashes(load_rubric(path))
    grades = load_grades(path)
    found = {
        key: _label(key, grade, hashes[key], path)
        for key, grade in grades.items()
        if grade.reason != "not_run"  # a leaf without a score: nobody labelled it
    }
    labels = Labels(annotator=path.stem, labels=found)
    return labels.with_warnings(_told(path, [key for key in grades if key not in found]))


def _told(path: Path, missing: Sequence[str]) -> Iterator[str]:
    if missing:
        have = "leaf has" if len(missing) == 1 else "leaves have"
        yield f"{path}: {len(missing)} {have} no score, and so no label: {shortened(missing)}"


def _label(key: str, grade: Grade, digest: str, path: Path) -> Label:
    score = grade.score
    verdict = "cannot_judge" if score is None else "met" if score >= MET_FROM else "not_met"
    fields = {"verdict": verdict, "reason": grade.explanation, "leaf": digest}
    finer = None if score in (0, 1) else score
    try:
        return Label.model_validate(fields | {"score": finer})
    except ValidationError as error:
        why = error.errors()[0]["msg"]
        message = f"the grade of {key!r} in {str(path)!r} is no label: {why}"
        raise LabelsError(message, key=key) from None


def _node(key: str, rubric: Rubric, labels: Labels, score: Score) -> dict[str, Any]:
    """All but the sub-tasks, which the writer puts last, as PaperBench does."""
    criterion = rubric[key]
    weight = criterion.weight
    return {
        "id": criterion.id,
        "requirements": criterion.requirements,
        "weight": int(weight) if weight.is_integer() and weight < 1e15 else weight,
        **dict(_verdict(key, rubric, labels, score)),
        "judge_metadata": None,
    }


def _verdict(key: str, rubric: Rubric, labels: Labels, score: Score) -> Iterator[tuple[str, Any]]:
    if rubric.is_leaf(key):
        value, valid, explanation = _of_leaf(labels.labels.get(key))
    else:
        known = score.value is not None and score.low == score.high
        value, valid, explanation = score.value if known else None, known, GROUP if known else OPEN
    yield "score", value
    yield "valid_score", valid
    yield "task_category", rubric[key].task_category
    yield "explanation", explanation


def _of_leaf(label: Label | None) -> tuple[float | None, bool | None, str]:
    if label is None:
        return None, None, ""
    if label.value is None:
        return 0.0, False, label.reason or COULD_NOT
    return label.value, True, label.reason
