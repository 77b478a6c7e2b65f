"""Failures, their causes, and the table of both."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from rubric_engine.errors import RunError

UNKNOWN = "unknown"
"""Stands where a cause does, for what no readable reply speaks of."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Failure(_Value):
    """A leaf that failed, and what is known of the cause.

    Attributes:
        task: Id of the question.
        key: Key of the leaf.
        category: Its category in the rubric.
        requirements: What it asks.
        explanation: What the judge found.
        insight: What went wrong in one sentence; None where no readable reply says it.
        cause: The cause that it is put under.
        why: Why it is unknown.
    """

    task: str
    key: str
    category: str
    requirements: str
    explanation: str = ""
    insight: str | None = None
    cause: str = UNKNOWN
    why: str = ""

    @property
    def id(self) -> str:
        """What tells it from all others."""
        return f"{self.task} {self.key}"


class Cause(_Value):
    """Why leaves fail: what several failures have in common."""

    name: str
    says: str = ""


class Row(NamedTuple):
    """A line of the table: how many failures of a category a cause has, and their share."""

    category: str
    cause: str
    failures: int
    share: float


class Taxonomy(_Value):
    """Why leaves failed.

    Attributes:
        run: Name under which the calls are billed.
        model: The model that was asked.
        causes: The causes.
        failures: What failed.
    """

    taxonomy: Literal[1] = 1
    run: str
    model: str
    made_at: str
    causes: tuple[Cause, ...] = ()
    failures: tuple[Failure, ...] = ()

    def rows(self) -> Iterator[Row]:
        """The table: categories in the order of the rubric, the commonest causes first."""
        for category in dict.fromkeys(failure.category for failure in self.failures):
            own = [failure.cause for failure in self.failures if failure.category == category]
            for cause, count in Counter(own).most_common():
                yield Row(category, cause, count, count / len(own))

    @property
    def unknown(self) -> int:
        """How many failures have no cause."""
        return sum(failure.cause == UNKNOWN for failure in self.failures)


def load_taxonomy(path: Path) -> Taxonomy:
    """Read `taxonomy.json`.

    Raises:
        RunError: It cannot be read, or holds something else.
    """
    try:
        return Taxonomy.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, ValidationError):
        raise RunError(
            f"{path} is no taxonomy of failures",
            code="E609",
            fix=["rubric-engine expbench taxonomy RESULTS --model NAME   makes it"],
        ) from None
