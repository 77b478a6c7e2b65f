"""The rubric file with its header, as a model: what editors check a file against."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.categories import Category
from rubric_engine.criterion import CriterionFields

VERSIONS = (1,)
"""Versions of the format that this package reads."""


class Header(BaseModel):
    """What stands above the tree."""

    model_config = ConfigDict(frozen=True, extra="forbid", title="Rubric header")

    rubric: Literal[1] = Field(description="Version of the format: 1.")
    title: str | None = Field(default=None, description="Title of the rubric, for people.")
    categories: dict[str, Category] = Field(
        default_factory=dict,
        description="Categories of the rubric's own, by name; Code Development, Code Execution and "
        "Result Analysis are built in.",
    )
    metrics: dict[str, str] = Field(
        default_factory=dict,
        description="Combinations of categories by name, such as 'Design and not (Conclusion >= "
        "0.5)': true, false, or undefined where leaves without a grade leave it open.",
    )


class Node(CriterionFields):
    """A criterion with its sub-tasks; one without sub-tasks is a leaf and has a category."""

    sub_tasks: tuple[Node, ...] = Field(
        default=(), description="The criteria below this one; their scores make its score."
    )


class RubricFile(Header):
    """A weighted tree of criteria for the judgement of a submission."""

    root: Node = Field(description="The outermost criterion, whose score is the result.")


def rubric_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a rubric file with a header.

    It knows form, not sense: that ids are unique or that a leaf has a category, `load_rubric` says.
    """
    schema = RubricFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
