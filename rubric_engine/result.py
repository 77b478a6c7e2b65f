"""What a grading gives back: the `Report`, a value that needs no judging to be recomputed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from rubric_engine.errors import InputError
from rubric_engine.grading import Grade, Score
from rubric_engine.losses import CategoryScore, Loss, category_scores, points_lost
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import Missing, propagate


class Notice(NamedTuple):
    """Something a reader should know; never an error."""

    code: str
    message: str


@dataclass(frozen=True)
class Report:
    """Grades and what follows from them.

    Attributes:
        rubric: The tree, or the view of it, that was graded.
        grades: Grade by key of a leaf.
        missing: Policy of `Score.value` for leaves without a grade.
        notices: Warnings, in the order in which they arose.
        cost: What the judges spent, such as ``{"calls": 0}``.
        provenance: Hashes, versions, judge and mode, so that unlike results can be told apart.
        run: Folder of the run, or None where nothing was written.
        disqualified: Why the score does not count, or None.
    """

    rubric: Rubric
    grades: Mapping[str, Grade]
    missing: Missing = "zero"
    notices: tuple[Notice, ...] = ()
    cost: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    run: str | None = None
    disqualified: str | None = None

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """Score of every criterion, by key."""
        return propagate(self.rubric, self.grades, missing=self.missing)

    @property
    def score(self) -> Score:
        """Score of the root; 0 where the submission is disqualified."""
        earned = self.scores[self.rubric.root]
        if self.disqualified is None:
            return earned
        return Score(value=0.0, low=0.0, high=0.0, coverage=earned.coverage)

    @cached_property
    def losses(self) -> Mapping[str, Loss]:
        """Where the points went, by key."""
        return points_lost(self.rubric, self._bounds)

    @cached_property
    def categories(self) -> Mapping[str, CategoryScore]:
        """Score and share of each category of leaves."""
        return category_scores(self.rubric, self._bounds)

    @cached_property
    def _bounds(self) -> Mapping[str, Score]:
        if self.missing == "zero":
            return self.scores
        return propagate(self.rubric, self.grades)

    @cached_property
    def statuses(self) -> Mapping[str, int]:
        """Number of leaves that are graded, ungradeable and not applicable."""
        counts = Counter(grade.status for grade in self._leaf_grades)
        return {name: counts[name] for name in ("graded", "ungradeable", "not_applicable")}

    @cached_property
    def reasons(self) -> Mapping[str, int]:
        """Number of ungradeable leaves by reason."""
        return dict(sorted(Counter(g.reason for g in self._leaf_grades if g.reason).items()))

    @property
    def failed(self) -> bool:
        """True where a leaf that the judge had to grade could not be graded."""
        return any(grade.failed for grade in self._leaf_grades)

    @property
    def _leaf_grades(self) -> Iterable[Grade]:
        missing = Grade.ungradeable("not_run")
        return (self.grades.get(key, missing) for key in self.rubric.leaves())

    def category_rows(self) -> list[dict[str, Any]]:
        """The categories as plain JSON values; points are of 100."""
        return [
            {
                "category": name,
                "score": row.score.model_dump(exclude={"sd"}),
                "points": row.points,
                "lost": row.lost,
                "open": row.open,
                "leaves": row.leaves,
                "graded": row.graded,
            }
            for name, row in self.categories.items()
        ]

    def disqualify(self, reason: str) -> Report:
        """The same grades with a score of 0, and the reason beside it."""
        return replace(self, disqualified=reason)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON values, as `report.json` holds it."""
        return {
            "report": 1,
            "score": self.score.model_dump(exclude={"sd"}),
            "missing": self.missing,
            "disqualified": self.disqualified,
            "leaves": dict(self.statuses),
            "reasons": dict(self.reasons),
            "categories": self.category_rows(),
            "warnings": [notice._asdict() for notice in self.notices],
            "cost": dict(self.cost),
            "provenance": dict(self.provenance),
            "scores": {key: score.model_dump() for key, score in self.scores.items()},
            "grades": {key: grade_dict(grade) for key, grade in self.grades.items()},
        }

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_dict(), indent=1)

    def to_paperbench(self) -> str:
        """The report as the text of PaperBench's `grader_output.json`.

        Its format knows no "not graded": such leaves are 0 there, with `valid_score` false.
        """
        judge = self.provenance.get("judge", {})
        output = {
            "judge_type": judge.get("name", ""),
            "score": self.score.value or 0.0,
            "num_leaf_nodes": len(self.rubric.leaves()),
            "num_invalid_leaf_nodes": self.statuses["ungradeable"],
            "graded_at": self.provenance.get("graded_at", ""),
            "graded_task_tree": self._graded_tree(),
            "completer_config": None,
            "token_usage": None,
        }
        try:
            return json.dumps(output, indent=4)
        except RecursionError:
            raise InputError("the rubric is too deep for PaperBench's nested format") from None

    def _graded_tree(self) -> dict[str, Any]:
        nodes = {key: self._graded_node(key) for key in self.rubric.order}
        for key in self.rubric.order:
            nodes[key]["sub_tasks"] = [nodes[child] for child in self.rubric.children(key)]
        return nodes[self.rubric.root]

    def _graded_node(self, key: str) -> dict[str, Any]:
        criterion, score = self.rubric[key], self.scores[key]
        grade = self.grades.get(key) if self.rubric.is_leaf(key) else None
        graded = score.value is not None and (grade is None or grade.status == "graded")
        return {
            "id": key,
            "requirements": criterion.requirements,
            "weight": criterion.weight,
            "score": score.value or 0.0,
            "valid_score": graded,
            "task_category": criterion.task_category,
            "finegrained_task_category": criterion.finegrained_task_category,
            "explanation": grade.explanation if grade else "Weighted from the sub-tasks.",
            "judge_metadata": None,
            "sub_tasks": [],
        }


def grade_dict(grade: Grade) -> dict[str, Any]:
    """A grade as plain JSON values, defaults left out."""
    return grade.model_dump(mode="json", exclude_defaults=True)
