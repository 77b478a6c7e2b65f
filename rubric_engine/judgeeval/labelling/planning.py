"""Who labels which leaves: drawn by category, with known chances. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.apportioning import apportioned
from rubric_engine.labels import leaf_hashes, mark_of
from rubric_engine.rubric import Rubric


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Sha = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class PlannedLeaf(_Value):
    """One leaf that was drawn."""

    key: str
    leaf: Sha = Field(description="Hash of its text and of those above it.")
    parent: str = Field(description="Key of its group; leaves of a group are one cluster.")
    category: str
    inclusion: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Its chance to be drawn, for weights where several draws come together."
    )
    annotators: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        description="Who labels it."
    )


class LabelPlan(_Value):
    """Who labels which leaves of one submission; leaves in document order."""

    plan: Literal[1] = Field(default=1, description="Version of this format.")
    task: str
    submission: str = Field(description="Path of the submission, for people.")
    name: str = Field(default="", description="Name of the submission, for people.")
    rubric_sha256: Sha
    submission_sha256: Sha
    seed: int
    overlap: Annotated[int, Field(ge=0, le=100)] = Field(
        description="Percent of the drawn leaves that every annotator labels."
    )
    of: int = Field(description="Leaves of the rubric.")
    annotators: Annotated[tuple[str, ...], Field(min_length=1)]
    leaves: tuple[PlannedLeaf, ...]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Each leaf once, and dealt to annotators of the plan only."""
        if twice := _repeated(self.annotators):
            raise ValueError(f"annotator {twice!r} stands twice")
        if twice := _repeated(leaf.key for leaf in self.leaves):
            raise ValueError(f"leaf {twice!r} stands twice")
        known = set(self.annotators)
        for leaf in self.leaves:
            dealt = set(leaf.annotators)
            if not known >= dealt or len(dealt) < len(leaf.annotators):
                raise ValueError(f"leaf {leaf.key!r} is dealt to others than the annotators")
        if len(self.leaves) > self.of:
            raise ValueError(f"it has {len(self.leaves)} leaves of {self.of}")
        return self

    @property
    def mark(self) -> str:
        """The submission as its labels name it."""
        return mark_of(self.submission_sha256, self.name)

    def share(self, annotator: str) -> tuple[PlannedLeaf, ...]:
        """The leaves that an annotator labels."""
        return tuple(leaf for leaf in self.leaves if annotator in leaf.annotators)


def _repeated(names: Iterable[str]) -> str | None:
    """The first name that stands twice."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def planned_leaves(
    rubric: Rubric,
    annotators: Sequence[str],
    *,
    sample: int | None = None,
    overlap: int = 30,
    seed: int = 0,
) -> tuple[PlannedLeaf, ...]:
    """Draw leaves in proportion to their category's, and deal them out.

    Within a category every leaf has the same chance. Draws come from a hash of seed, rubric and
    key, so the same seed draws the same leaves.

    Args:
        rubric: The rubric.
        annotators: Their names.
        sample: How many leaves; None for all.
        overlap: Percent of them that every annotator labels; the others go to one each, in turn.
        seed: Seed of the draw.

    Raises:
        UsageError: The rubric has no leaf.
    """
    strata = _strata(rubric, seed)
    total = sum(map(len, strata.values()))
    if not total:
        raise UsageError("the rubric has no leaf to label")
    wanted = total if sample is None else min(sample, total)
    drawn = apportioned(wanted, {name: len(keys) for name, keys in strata.items()})
    shared = apportioned((overlap * wanted + 50) // 100, drawn)
    dealt = _dealt({name: keys[: drawn[name]] for name, keys in strata.items()}, shared, annotators)
    chance = {name: drawn[name] / len(keys) for name, keys in strata.items()}
    hashes = leaf_hashes(rubric)
    return tuple(
        PlannedLeaf(
            key=key,
            leaf=hashes[key],
            parent=rubric.parent(key) or key,
            category=_category(rubric, key),
            inclusion=chance[_category(rubric, key)],
            annotators=dealt[key],
        )
        for key in rubric.leaves()
        if key in dealt
    )


def _dealt(
    drawn: Mapping[str, Sequence[str]], shared: Mapping[str, int], annotators: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Annotators by leaf: all for the first of each category, one in turn for the others."""
    dealt: dict[str, tuple[str, ...]] = {}
    turn = cycle(annotators)
    for name, keys in drawn.items():
        for place, key in enumerate(keys):
            dealt[key] = tuple(annotators) if place < shared[name] else (next(turn),)
    return dealt


def _strata(rubric: Rubric, seed: int) -> dict[str, list[str]]:
    """Leaves by category, each category's in the order in which they are drawn."""
    strata: dict[str, list[str]] = {}
    for key in rubric.leaves():
        strata.setdefault(_category(rubric, key), []).append(key)
    for keys in strata.values():
        keys.sort(key=lambda key: _toss(f"{seed}:{rubric.sha256}:{key}"))
    return strata


def _toss(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _category(rubric: Rubric, key: str) -> str:
    return rubric[key].task_category or ""
