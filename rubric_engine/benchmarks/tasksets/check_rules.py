"""The rules that are checks of the engine, on `answer.md` or on what the form makes of it."""

from __future__ import annotations

import re
from typing import Any, Self

from pydantic import Field

from rubric_engine.benchmarks.tasksets.rule import ANSWER, Rule, Texts, listed
from rubric_engine.benchmarks.tasksets.task import NonEmpty, SetTask

LAST_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"


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
        return f"The code defines {listed(self.names)}"
