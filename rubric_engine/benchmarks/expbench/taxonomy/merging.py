"""What replies of the two passes make of failures. Pure; nothing that a reply says is trusted."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.benchmarks.expbench.taxonomy.values import UNKNOWN, Cause, Failure
from rubric_engine.model import text_hash

_LONGEST_NAME, _LONGEST = 60, 300
_MARK = 6
"""Digits that tell names apart which are cut."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Insight(_Said):
    """What went wrong in one failure."""

    number: int = Field(description="Number of the failure.")
    insight: str = Field(description="What went wrong, in one sentence.")


class Insights(_Said):
    """The answer of the first pass."""

    insights: list[Insight]


class NewCause(_Said):
    """A new cause."""

    name: str = Field(description="At most six words.")
    says: str = Field(description="What belongs to it, in one sentence.")


class Put(_Said):
    """The cause of one insight."""

    number: int = Field(description="Number of the insight.")
    cause: str = Field(description="Name of a cause, so far or new.")


class Into(_Said):
    """A cause that goes into another."""

    name: str = Field(description="The cause that goes.")
    into: str = Field(description="The cause that stays.")


class Merged(_Said):
    """The answer of the second pass."""

    new: list[NewCause]
    put: list[Put]
    merged: list[Into]


def with_insights(batch: Sequence[Failure], said: Insights) -> list[Failure]:
    """The failures of a batch with what a reply says of each; the first word on one counts."""
    told: dict[int, str] = {}
    for each in said.insights:
        told.setdefault(each.number, _short(each.insight, _LONGEST))
    return [
        leaf.model_copy(
            update={"insight": told[at]} if told.get(at) else {"why": "the reply leaves it out"}
        )
        for at, leaf in enumerate(batch, 1)
    ]


def unread(batch: Iterable[Failure], why: str) -> list[Failure]:
    """The failures of a batch that has no readable reply."""
    return [leaf.model_copy(update={"why": why}) for leaf in batch]


class Book:
    """Causes as they grow, batch by batch.

    Attributes:
        causes: The causes, by their names in small letters.
        failures: The failures so far, each with its cause.
    """

    def __init__(self) -> None:
        self.causes: dict[str, Cause] = {}
        self.failures: list[Failure] = []

    def add(self, batch: Sequence[Failure], said: Merged) -> None:
        """Take a reply: new causes, which insight goes where, and causes that become one."""
        for cause in said.new:
            name = _named(cause.name)
            if name and name.casefold() != UNKNOWN:
                found = Cause(name=name, says=_short(cause.says, _LONGEST))
                self.causes.setdefault(name.casefold(), found)
        put: dict[int, str] = {}
        for each in said.put:
            put.setdefault(each.number, _key(each.cause))
        for at, leaf in enumerate(batch, 1):
            chosen = self.causes.get(put.get(at, ""))
            why = {"why": "the reply names no cause of it"}
            self.failures.append(leaf.model_copy(update={"cause": chosen.name} if chosen else why))
        self._merge({_key(one.name): _key(one.into) for one in said.merged})

    def _merge(self, into: Mapping[str, str]) -> None:
        for name, target in into.items():
            if name == target or name not in self.causes or target not in self.causes:
                continue
            gone, stays = self.causes.pop(name).name, self.causes[target].name
            self.failures = [
                leaf.model_copy(update={"cause": stays}) if leaf.cause == gone else leaf
                for leaf in self.failures
            ]

    def leave(self, failures: Iterable[Failure]) -> None:
        """Take failures that stay unknown."""
        self.failures += failures


def _key(name: str) -> str:
    return _named(name).casefold()


def _named(name: str) -> str:
    """A name of a cause, in letters that can be seen; two long ones stay two where they are cut."""
    seen = "".join(
        char
        for char in unicodedata.normalize("NFKC", " ".join(name.split()))
        if not unicodedata.category(char).startswith("C")
    )
    plain = " ".join(seen.split())
    if len(plain) <= _LONGEST_NAME:
        return plain
    mark = f"... {text_hash(plain.casefold())[:_MARK]}"
    return plain[: _LONGEST_NAME - len(mark)] + mark


def _short(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 3]}..."
