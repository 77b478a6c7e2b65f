"""The rules that a task may name: each says what it needs, and which checks it stands for.

A rule that the engine's own checks can express becomes such checks on the file `answer.md`. The
others look at the answer themselves, in `outcomes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from rubric_engine.benchmarks.tasksets.schema_lite import flaws, is_schema, keys_of
from rubric_engine.benchmarks.tasksets.task import NonEmpty, SetTask, Value

ANSWER = "answer.md"
"""The file of a submission that holds the whole answer as it came."""

LAST_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"

Texts = Annotated[
    tuple[NonEmpty, ...],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
]


class Rule(Value):
    """Base of the rules."""

    def completed(self, task: SetTask) -> Self:
        """The rule with what it takes from its task.

        Raises:
            ValueError: It needs something that neither it nor the task says.
        """
        return self

    def checks(self) -> list[dict[str, Any]]:
        """The engine's checks that it stands for; empty where it looks for itself."""
        return []

    def says(self) -> str:
        """What it demands of an answer, in words."""
        raise NotImplementedError


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))


class _Found(Rule):
    text: Texts = Field(min_length=1, description="Text or texts, as they stand.")
    ignore_case: bool = Field(default=False, description="Whether case does not matter.")

    def _needle(self, text: str) -> dict[str, Any]:
        if self.ignore_case:
            return {"file": ANSWER, "regex": f"(?i){re.escape(text)}"}
        return {"file": ANSWER, "text": text}


class Contains(_Found):
    """The answer holds these texts; of several, the share that it holds."""

    def checks(self) -> list[dict[str, Any]]:
        """One for each text."""
        return [{"contains": self._needle(text)} for text in self.text]

    def says(self) -> str:
        """The texts."""
        return f"The answer holds {_listed(self.text)}"


class Absent(_Found):
    """The answer holds none of these texts."""

    def checks(self) -> list[dict[str, Any]]:
        """All of them absent, as one check."""
        return [{"all": [{"not": {"contains": self._needle(text)}} for text in self.text]}]

    def says(self) -> str:
        """The texts."""
        return f"The answer holds nothing of {_listed(self.text)}"


class Regex(Rule):
    """A google-re2 pattern is found in the answer, line by line."""

    regex: NonEmpty = Field(description="The pattern.")

    def checks(self) -> list[dict[str, Any]]:
        """One."""
        return [{"contains": {"file": ANSWER, "regex": self.regex}}]

    def says(self) -> str:
        """The pattern."""
        return f"A line of the answer matches {self.regex!r}"


class NumberClose(Rule):
    """The last number of the answer, or the one that a pattern finds, is close to another."""

    equals: float | None = Field(
        default=None, allow_inf_nan=False, description="The number; by default the reference."
    )
    rel: float = Field(
        default=0.01, ge=0, allow_inf_nan=False, description="Relative tolerance, 1 % by default."
    )
    abs: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Absolute tolerance.")
    regex: NonEmpty = Field(default=LAST_NUMBER, description="Its first group is the number.")
    json_path: NonEmpty | None = Field(
        default=None, alias="json", description="Place in a JSON answer, `a.b[0].c`."
    )

    def completed(self, task: SetTask) -> Self:
        """With the reference answer as the number."""
        if self.equals is not None:
            return self
        said = task.reference.answer if task.reference is not None else None
        try:
            return self.model_copy(update={"equals": float(said or "")})
        except ValueError:
            raise ValueError("give 'equals', or a reference answer that is a number") from None

    def checks(self) -> list[dict[str, Any]]:
        """One."""
        bounds = {"equals": self.equals, "rel": self.rel, "abs": self.abs}
        if self.json_path is not None:
            return [{"number": {"file": "answer.json", "json": self.json_path, **bounds}}]
        return [{"number": {"file": ANSWER, "regex": self.regex, **bounds}}]

    def says(self) -> str:
        """Number and tolerance."""
        return f"The number is {self.equals:.12g}, within {self.rel:g} of it or {self.abs:g}"


class Defines(Rule):
    """Python in the answer defines a name."""

    names: Texts = Field(min_length=1, description="Names, dotted for what lies in a class.")

    def checks(self) -> list[dict[str, Any]]:
        """One for each name."""
        return [{"python_defines": {"file": "answer.py", "name": name}} for name in self.names]

    def says(self) -> str:
        """The names."""
        return f"The code defines {_listed(self.names)}"


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
        return f"The answer is a JSON object with the keys {_listed(self.keys)}"


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
        return f"The answer is a table of {self.min_rows} rows or more with {_listed(self.columns)}"


class WellFormed(Rule):
    """The answer has the expected form."""

    def says(self) -> str:
        """That it has."""
        return "The answer has the form that was asked for"


RULES: Mapping[str, type[Rule]] = MappingProxyType(
    {
        "absent": Absent,
        "columns": Columns,
        "contains": Contains,
        "defines": Defines,
        "exact": Exact,
        "has_citations": HasCitations,
        "json_keys": JsonKeys,
        "json_schema": JsonSchema,
        "length": Length,
        "number_close": NumberClose,
        "regex": Regex,
        "well_formed": WellFormed,
    }
)
"""Every rule by its name."""

NEEDS: Mapping[str, Callable[[SetTask], str | None]] = MappingProxyType(
    {
        "defines": lambda task: (
            None
            if task.expected_output.type == "code"
            else "goes with expected_output of type code alone"
        ),
        "columns": lambda task: (
            None
            if task.expected_output.type in ("table", "csv")
            else "goes with expected_output of type table or csv alone"
        ),
    }
)
"""Why a rule does not fit a task, by its name; None where it fits."""
