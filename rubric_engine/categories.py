"""What the category of a leaf decides: the judge's question, what it sees, whether it needs a run.

One row a category; nothing else in the package compares category names. The three built-in rows
are PaperBench's (arXiv 2504.01848, section 3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

EvidenceKind = Literal["code", "docs", "script", "log", "produced"]

SUBTREE = "Subtree"
"""Category of a leaf that stands for a whole subtree, after `Rubric.prune_to_depth`."""


class Category(BaseModel):
    """One category of leaves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(description="What the judge is asked about a leaf of this category.")
    sees: tuple[EvidenceKind, ...] = Field(
        default=("code", "docs", "script", "log", "produced"),
        description="Kinds of evidence that a judge is shown.",
    )
    needs_run: bool = Field(
        default=False, description="Whether a leaf can only be graded after `reproduce.sh` ran."
    )


BUILT_IN: Mapping[str, Category] = MappingProxyType(
    {
        "Code Development": Category(
            question="Does the code contain a correct implementation of this requirement?",
            sees=("code", "docs"),
        ),
        "Code Execution": Category(
            question="Did running reproduce.sh carry this out successfully?",
            sees=("code", "docs", "script", "log"),
            needs_run=True,
        ),
        "Result Analysis": Category(
            question="Do the results that the run produced bear this out?",
            sees=("docs", "produced", "log"),
            needs_run=True,
        ),
    }
)

_OTHER = Category(question="Is this requirement met?")


def category(name: str | None, own: Mapping[str, Category] = BUILT_IN) -> Category:
    """Return the row for `name`: the rubric's own, else the built-in one, else sees all, no run.

    Args:
        name: A leaf's `task_category`.
        own: The `categories` of the rubric's header.
    """
    key = name or ""
    return own.get(key) or BUILT_IN.get(key) or _OTHER
