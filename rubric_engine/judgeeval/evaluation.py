"""An evaluation: what one judge said of labelled cases. Tables, comparisons and charts read it.

A pure value. `results` keeps it in a folder and gets it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.grading import Fraction, Reason, Status
from rubric_engine.judgeeval.baseline import SecondLabels
from rubric_engine.judgeeval.pairs import MET_FROM, Pair, Pairs
from rubric_engine.judgeeval.root import Root


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LeafResult(_Value):
    """One leaf of one case: what humans said, and what the judge."""

    case: str = Field(description="Name of the case.")
    key: str = Field(description="Key of the leaf.")
    parent: str = Field(description="Key of its group; leaves of a group are one cluster.")
    category: str
    worth: Fraction = Field(description="Share of the root's score.")
    label: Fraction | None = Field(description="The human's score; None: could not judge.")
    others: dict[str, Fraction | None] = Field(
        default_factory=dict, description="Scores of further annotators, by name."
    )
    status: Status
    score: Fraction | None = Field(description="The judge's score; None: no grade.")
    probability: Fraction | None = None
    reason: Reason | None = Field(default=None, description="Why there is no grade.")
    cost: float | None = Field(
        default=None, ge=0, description="Dollars: the case's cost, spread over its leaves."
    )


class CaseRoot(_Value):
    """Root scores of a case by the rubric's own aggregates, 0 to 1."""

    human: Fraction
    low: Fraction = Field(description="The judge's, leaves without a grade counting 0.")
    high: Fraction = Field(description="The judge's, leaves without a grade counting 1.")
    leaf_error: Fraction = Field(description="Mean absolute error of a leaf by worth.")


class CaseResult(_Value):
    """How the judging of one case went."""

    name: str
    task: str
    source: str = Field(default="", description="Where the case comes from.")
    rubric_sha256: str
    labels_sha256: str
    annotator: str = Field(description="Whose labels the judge is held against.")
    submission_sha256: str | None = Field(description="None: the submission was absent.")
    execution: str | None = Field(default=None, description="How reproduce.sh ended, if it ran.")
    leaves: int = Field(description="Leaves of the rubric.")
    labelled: int = Field(description="Of them, with a label.")
    asked: int = Field(description="Of these, that the judge was asked about.")
    root: CaseRoot | None = Field(
        default=None, description="None where only a sample was asked about."
    )
    usd: float | None = Field(default=None, description="Dollars; None: unknown, and no zero.")
    tokens: int = Field(default=0, description="Tokens read and written.")
    run: str | None = Field(default=None, description="Folder of the grading's run.")
    stopped: str | None = Field(default=None, description="What ended the judging early.")
    crashed: str | None = Field(default=None, description="What broke; no leaf has a grade.")


class Sample(_Value):
    """Which leaves were drawn, where not all were asked about."""

    size: int
    of: int = Field(description="Labelled leaves to draw from.")
    seed: int


class JudgeIdentity(_Value):
    """Which judge it was."""

    name: str
    fingerprint: str
    model: str | None = None
    base_url: str | None = None


class Evaluation(_Value):
    """What one judge said of labelled cases."""

    evaluation: Literal[1] = Field(default=1, description="Version of this format.")
    name: str = Field(description="What tables call it.")
    judge: JudgeIdentity
    command: str | None = Field(default=None, description="The command that made it.")
    made_at: str
    version: str = Field(description="Version of the engine.")
    threshold: Fraction = Field(default=MET_FROM, description="Score from which on it is met.")
    sample: Sample | None = None
    complete: bool = Field(description="False while cases are still to be judged.")
    cases: tuple[CaseResult, ...]
    leaves: tuple[LeafResult, ...] = Field(default=(), exclude=True, repr=False)

    @cached_property
    def pairs(self) -> Pairs:
        """Labels and grades side by side."""
        return Pairs.of((_pair(leaf) for leaf in self.leaves), threshold=self.threshold)

    @property
    def roots(self) -> tuple[Root, ...] | None:
        """Root scores by case; None where a sample leaves them unknown."""
        if self.sample is not None:
            return None
        return tuple(
            Root(submission=case.name, **case.root.model_dump()) for case in self.cases if case.root
        )

    @property
    def annotators(self) -> tuple[str, ...]:
        """Names of further annotators, in order of appearance."""
        return tuple(dict.fromkeys(name for leaf in self.leaves for name in leaf.others))

    def second(self, annotator: str) -> SecondLabels:
        """A further annotator's scores, for the row "human against human"."""
        return {
            (leaf.case, leaf.key): leaf.others[annotator]
            for leaf in self.leaves
            if annotator in leaf.others
        }

    @property
    def annotator_pairs(self) -> Mapping[tuple[str, str], int]:
        """Pairs of further annotators, and how many leaves both judged."""
        both = {
            (a, b): sum(1 for leaf in self.leaves if a in leaf.others and b in leaf.others)
            for a, b in combinations(self.annotators, 2)
        }
        return {pair: count for pair, count in both.items() if count}


def _pair(leaf: LeafResult) -> Pair:
    return Pair(
        key=leaf.key,
        submission=leaf.case,
        parent=leaf.parent,
        category=leaf.category,
        worth=leaf.worth,
        label=leaf.label,
        grade=leaf.score,
        probability=leaf.probability,
        cost=leaf.cost,
    )
