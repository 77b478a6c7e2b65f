"""The rules that checks of the engine can say, on `answer.md` or on what the form makes of it."""

from __future__ import annotations

import math
import re
from typing import Any, Self

from pydantic import Field, model_validator

from rubric_engine.benchmarks.tasksets.numerals import number_of
from rubric_engine.benchmarks.tasksets.rule import ANSWER, Rule, Texts, listed
from rubric_engine.benchmarks.tasksets.task import NonEmpty, SetTask


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
        return f"The answer holds {listed(self.text)}"


class Absent(_Found):
    """The answer holds none of these texts."""

    def checks(self) -> list[dict[str, Any]]:
        """All of them absent, as one check."""
        return [{"all": [{"not": {"contains": self._needle(text)}} for text in self.text]}]

    def says(self) -> str:
        """The texts."""
        return f"The answer holds nothing of {listed(self.text)}"


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
    """The number that the answer is, or its last one, is close to another.

    Where a pattern or a place in JSON is given, a check of the engine reads the number there.
    """

    equals: float | None = Field(
        default=None, allow_inf_nan=False, description="The number; by default the reference."
    )
    rel: float = Field(
        default=0.01, ge=0, allow_inf_nan=False, description="Relative tolerance, 1 % by default."
    )
    abs: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Absolute tolerance.")
    regex: NonEmpty | None = Field(
        default=None, description="Its first group is the number, where it matches last."
    )
    json_path: NonEmpty | None = Field(
        default=None, alias="json", description="Place in a JSON answer, `a.b[0].c`."
    )

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if self.regex is not None and self.json_path is not None:
            raise ValueError("give regex or json, not both")
        return self

    def completed(self, task: SetTask) -> Self:
        """With the reference answer as the number."""
        if self.equals is not None:
            return self
        said = task.reference.answer if task.reference is not None else None
        due = number_of((said or "").strip())
        if due is None or math.isinf(due):
            raise ValueError("give 'equals', or a reference answer that is a number")
        return self.model_copy(update={"equals": due})

    @property
    def bounds(self) -> dict[str, float | None]:
        """What is near enough, as the engine's check of numbers has it."""
        return {"equals": self.equals, "rel": self.rel, "abs": self.abs}

    def checks(self) -> list[dict[str, Any]]:
        """One where a pattern or a place is given."""
        if self.json_path is not None:
            return [{"number": {"file": "answer.json", "json": self.json_path, **self.bounds}}]
        if self.regex is not None:
            return [{"number": {"file": ANSWER, "regex": self.regex, **self.bounds}}]
        return []

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
        return f"The code defines {listed(self.names)}"
