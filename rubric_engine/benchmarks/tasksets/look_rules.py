"""The rules that look at an answer themselves; what they find is said in `outcomes`."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from rubric_engine.benchmarks.tasksets.rule import Rule, Texts, listed
from rubric_engine.benchmarks.tasksets.schema_lite import flaws, is_schema, keys_of
from rubric_engine.benchmarks.tasksets.task import NonEmpty, SetTask


class Exact(Rule):
    """The answer is the text, spaces and line ends aside."""

    text: NonEmpty | None = Field(
        default=None, description="The text; by default the reference answer."
    )
    ignore_case: bool = Field(default=False, description="Whether case does not matter.")

    def completed(self, task: SetTask) -> Self:
        """With the reference answer as the text."""
        said = task.reference.answer if task.reference is not None else None
        if self.text is None and said is None:
            raise ValueError("give 'text', or a reference answer")
        return self if self.text is not None else self.model_copy(update={"text": said})

    def says(self) -> str:
        """The text."""
        return f"The answer is {self.text!r}"


class JsonKeys(Rule):
    """The answer is an object with these keys; of several, the share that it has."""

    keys: Texts = Field(default=(), description="Keys, `a.b` for one in an object.")

    def completed(self, task: SetTask) -> Self:
        """With the keys that the expected structure names."""
        keys = self.keys or keys_of(task.expected_output.structure)
        if not keys:
            raise ValueError("give 'keys', or an expected_output.structure that names them")
        return self.model_copy(update={"keys": keys})

    def says(self) -> str:
        """The keys."""
        return f"The answer is a JSON object with the keys {listed(self.keys)}"


class JsonSchema(Rule):
    """The answer is JSON that follows a schema."""

    follows: dict[str, Any] | None = Field(
        default=None, alias="schema", description="The schema; by default expected_output's."
    )

    def completed(self, task: SetTask) -> Self:
        """With the expected structure as the schema."""
        schema = self.follows
        if schema is None and is_schema(task.expected_output.structure):
            schema = task.expected_output.structure
        if schema is None:
            raise ValueError("give 'schema', or an expected_output.structure that is one")
        if (wrong := next(flaws(schema), None)) is not None:
            raise ValueError(f"schema: {wrong[1]}")
        return self.model_copy(update={"follows": schema})

    def says(self) -> str:
        """That there is a schema."""
        return "The answer is JSON that follows the schema"


class HasCitations(Rule):
    """The answer cites sources: DOIs, arXiv ids, links, [1], or (Name, 2020)."""

    min: int = Field(default=1, ge=1, description="At least so many different ones.")

    def says(self) -> str:
        """How many."""
        return f"The answer cites at least {self.min} different source{'s' * (self.min > 1)}"


class Length(Rule):
    """The answer is so long."""

    min: int = Field(default=0, ge=0, description="At least so many.")
    max: int | None = Field(default=None, ge=0, description="At most so many.")
    unit: Literal["words", "characters"] = Field(
        default="words", description="What is counted; a Han character is a word."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not self.min and self.max is None:
            raise ValueError("give min or max")
        if self.max is not None and self.max < self.min:
            raise ValueError(f"max ({self.max}) is less than min ({self.min})")
        return self

    def says(self) -> str:
        """The bounds."""
        most = f" and at most {self.max}" if self.max is not None else ""
        return f"The answer has at least {self.min}{most} {self.unit}"


class Columns(Rule):
    """The answer is a table with these columns; of several, the share that it has."""

    columns: Texts = Field(default=(), description="Names of columns.")
    min_rows: int = Field(default=1, ge=1, description="At least so many rows below the header.")

    def completed(self, task: SetTask) -> Self:
        """With the columns that the expected structure names."""
        columns = self.columns or keys_of(task.expected_output.structure)
        if not columns:
            raise ValueError("give 'columns', or an expected_output.structure that names them")
        return self.model_copy(update={"columns": columns})

    def says(self) -> str:
        """The columns."""
        return f"The answer is a table of {self.min_rows} rows or more with {listed(self.columns)}"


class WellFormed(Rule):
    """The answer has the expected form."""

    def says(self) -> str:
        """That it has."""
        return "The answer has the form that was asked for"
