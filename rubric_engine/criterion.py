"""One criterion of a rubric, as a value."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.checks import Check
from rubric_engine.globs import Glob

Aggregate = Annotated[
    str, Field(pattern=r"^(weighted_mean|all|any|min|product|at_least\([1-9][0-9]{0,8}\))$")
]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ScaleStep(BaseModel):
    """One step of a leaf's scale."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float = Field(ge=0, le=1, allow_inf_nan=False, description="Score, from 0 to 1.")
    says: str = Field(description="When this step applies.")


class CriterionFields(BaseModel):
    """What a person writes of one criterion, its sub-tasks aside."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, description="Name of the criterion, unique in the rubric.")
    requirements: str = Field(description="What must be true, in words.")
    weight: Weight = Field(default=1.0, description="Weight among its siblings, 0 or more.")
    task_category: str | None = Field(
        default=None,
        description="Category of a leaf: Code Development, Code Execution, Result Analysis, or one "
        "of the rubric's own. Groups have none.",
    )
    finegrained_task_category: str | None = Field(
        default=None, description="A finer category, free text."
    )
    checks: tuple[Check, ...] = Field(
        default=(), description="Facts that the rules judge establishes without a model."
    )
    evidence: tuple[Glob, ...] = Field(
        default=(), description="Globs of files that a judge should see first."
    )
    depends_on: tuple[str, ...] = Field(
        default=(), description="Ids of criteria that a judge is shown as context."
    )
    aggregate: Aggregate | None = Field(
        default=None,
        description="How a group's children, or a leaf's checks, make its score: weighted_mean "
        "(a group's default), all (a leaf's default), any, min, product or at_least(k).",
    )
    scale: tuple[ScaleStep, ...] = Field(
        default=(), description="Steps that a grade may take; without it 0 or 1."
    )
    tags: tuple[str, ...] = Field(default=(), description="Free labels, for slices of a report.")
    note_to_judge: str | None = Field(default=None, description="A remark for the judge alone.")
    paper_ref: str | None = Field(default=None, description="Place in the paper.")


class Criterion(CriterionFields):
    """A node of the rubric. `key` is its identity: its id, or `id#n` where the id repeats."""

    key: str
    extra: dict[str, Any] = Field(default_factory=dict, description="Unknown keys of the file.")

    @property
    def partial_credit(self) -> bool:
        """True where a leaf asks for scores between 0 and 1."""
        return bool(self.scale) or self.aggregate == "weighted_mean"
