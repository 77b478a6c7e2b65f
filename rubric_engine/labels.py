"""Human grades: `labels.yaml`, beside a submission and never inside it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.errors import LabelsError
from rubric_engine.grading import Fraction, Grade
from rubric_engine.near import near
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_model

Verdict = Literal["met", "not_met", "cannot_judge"]


MET_FROM = 0.5
"""A label's score from which on its verdict must be met."""


class Label(BaseModel):
    """One annotator's word on one leaf."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Verdict
    reason: str = Field(default="", description="Why, in the annotator's words.")
    score: Fraction | None = Field(default=None, description="A finer score, from 0 to 1.")

    @model_validator(mode="after")
    def _score_fits(self) -> Self:
        if self.score is None:
            return self
        if self.verdict == "cannot_judge":
            raise ValueError("a leaf that cannot be judged has no score")
        if (self.verdict == "met") != (self.score >= MET_FROM):
            raise ValueError(f"verdict {self.verdict} does not fit score {self.score:g}")
        return self

    @property
    def grade(self) -> Grade:
        """The label as a grade; a leaf that the annotator could not judge has no score."""
        if self.verdict == "cannot_judge":
            return Grade.ungradeable("needs_model", f"the annotator could not judge: {self.reason}")
        score = self.score if self.score is not None else float(self.verdict == "met")
        return Grade.graded(score, self.reason)


class Labels(BaseModel):
    """All labels of one annotator on one submission."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    annotator: str = Field(description="Who labelled.")
    labels: dict[str, Label] = Field(description="Label by key of the leaf.")

    def grades(self) -> dict[str, Grade]:
        """The labels as grades, by key."""
        return {key: label.grade for key, label in self.labels.items()}


def load_labels(path: str | Path, rubric: Rubric | None = None) -> Labels:
    """Read a label file.

    Args:
        path: The YAML file.
        rubric: If given, every labelled key must be a leaf of it.

    Raises:
        LabelsError: The file does not parse, or labels something that is no leaf.
    """
    labels = load_model(path, Labels, error=LabelsError, code="E501")
    if rubric is not None:
        leaves = set(rubric.leaves())
        strangers = [key for key in labels.labels if key not in leaves]
        if strangers:
            meant = near(strangers[0], rubric.leaves())
            raise LabelsError(
                f"{path} labels {len(strangers)} keys that are no leaf of the rubric, the first "
                f"{strangers[0]!r}" + (f"; {meant}" if meant else ""),
                code="E502",
                fix=["rubric-engine rubric tree RUBRIC lists the keys"],
            )
    return labels
