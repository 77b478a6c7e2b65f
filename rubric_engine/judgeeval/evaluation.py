"""An evaluation: what one judge said of labelled cases. Tables, comparisons and charts read it.

A pure value. `results` keeps it in a folder and gets it back.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Literal

from pydantic import Field

from rubric_engine.grading import MET_FROM, Fraction
from rubric_engine.judgeeval.baseline import SecondLabels
from rubric_engine.judgeeval.case_result import CaseResult, LeafResult, Value
from rubric_engine.judgeeval.pairs import Pair, Pairs
from rubric_engine.judgeeval.root import Root

_GRAVEST = (9, 2, 3, 4, 6, 7, 8, 5, 1)
"""Exit codes, the gravest first."""


def gravest(codes: Iterable[int]) -> int:
    """The exit code of several that tells of the gravest trouble; 0 where there is none."""
    found = set(codes)
    return next((code for code in _GRAVEST if code in found), 0)


class Sample(Value):
    """Which leaves were drawn, where not all were asked about."""

    size: int
    of: int = Field(description="Labelled leaves to draw from.")
    seed: int


class JudgeIdentity(Value):
    """Which judge it was."""

    name: str
    fingerprint: str
    models: tuple[str, ...] = Field(default=(), description="Names of the models that it asks.")
    stops_at_lead: bool = Field(
        default=False,
        description="Whether later samples of a leaf are asked for only where the first differ.",
    )


class Evaluation(Value):
    """What one judge said of labelled cases."""

    evaluation: Literal[1] = Field(default=1, description="Version of this format.")
    name: str = Field(description="What tables call it.")
    judge: JudgeIdentity
    command: str | None = Field(default=None, description="The command that made it.")
    made_at: str
    version: str = Field(description="Version of the engine.")
    threshold: Fraction = Field(
        default=MET_FROM, gt=0, description="Score from which on it is met."
    )
    fresh: bool = Field(
        default=False, description="Whether it was begun asking again for what was on record."
    )
    sample: Sample | None = None
    sandbox: str | None = Field(default=None, description="Where submissions were run, if at all.")
    cases: tuple[CaseResult, ...]
    leaves: tuple[LeafResult, ...] = Field(default=(), exclude=True, repr=False)

    @property
    def complete(self) -> bool:
        """Whether every case was judged to its end."""
        return all(case.finished for case in self.cases)

    @property
    def exit_code(self) -> int:
        """Exit code of the whole: that of the gravest trouble of a case."""
        return gravest(case.exit_code for case in self.cases)

    @property
    def pairs(self) -> Pairs:
        """Labels and grades side by side."""
        return Pairs.of((_pair(leaf) for leaf in self.leaves), threshold=self.threshold)

    @property
    def roots(self) -> tuple[Root, ...] | None:
        """Root scores by case, of those that have one; None where only a sample was asked about."""
        if self.sample is not None:
            return None
        return tuple(
            Root(submission=case.name, **case.root.model_dump()) for case in self.cases if case.root
        )

    @property
    def annotators(self) -> tuple[str, ...]:
        """Names of further annotators, in order of appearance."""
        return tuple(dict.fromkeys(name for leaf in self.leaves for name in leaf.others))

    def cost_of(self, case: str) -> float | None:
        """Dollars that the judge costs on a case, whoever paid; None where a part is unknown."""
        known = [leaf.cost for leaf in self.leaves if leaf.case == case]
        return None if None in known else math.fsum(each for each in known if each is not None)

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
