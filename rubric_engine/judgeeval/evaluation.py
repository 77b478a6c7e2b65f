"""An evaluation: what one judge said of labelled cases. Tables, comparisons and charts read it.

A pure value. `results` keeps it in a folder and gets it back.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rubric_engine.grading import MET_FROM, Fraction, Reason, Status
from rubric_engine.judgeeval.baseline import SecondLabels
from rubric_engine.judgeeval.pairs import TOLERANCE, Pair, Pairs
from rubric_engine.judgeeval.root import Root

_GRAVEST = (9, 2, 3, 4, 6, 7, 8, 5, 1)
"""Exit codes, the gravest first."""


def gravest(codes: Iterable[int]) -> int:
    """The exit code of several that tells of the gravest trouble; 0 where there is none."""
    found = set(codes)
    return next((code for code in _GRAVEST if code in found), 0)


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_Dollars = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


def _no_nul(name: str) -> str:
    if "\0" in name:
        raise ValueError("a name holds no NUL character")
    return name


_Name = Annotated[str, AfterValidator(_no_nul)]


class LeafResult(_Value):
    """One leaf of one case: what humans said, and what the judge."""

    case: _Name = Field(description="Name of the case.")
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
    samples: tuple[Fraction, ...] = Field(
        default=(), description="The judge's scores, where it was asked more than once."
    )
    cost: _Dollars | None = Field(
        default=None, description="Dollars, whoever paid them; None: unknown, and no zero."
    )

    @model_validator(mode="after")
    def _status_fits(self) -> Self:
        if (self.status == "graded") != (self.score is not None):
            raise ValueError(f"leaf {self.key!r} has a score exactly when it is graded")
        if (self.status == "ungradeable") != (self.reason is not None):
            raise ValueError(f"leaf {self.key!r} has a reason exactly when it is ungradeable")
        return self


class CaseRoot(_Value):
    """Root scores of a case by the rubric's own aggregates, 0 to 1."""

    human: Fraction
    low: Fraction = Field(description="The judge's, leaves without a grade counting 0.")
    high: Fraction = Field(description="The judge's, leaves without a grade counting 1.")
    leaf_error: Fraction = Field(description="Mean absolute error of a leaf by worth.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.low > self.high + TOLERANCE:
            raise ValueError("the low end of a score lies above its high end")
        return self


class CanaryCount(_Value):
    """Criteria that are certainly false, which the judge was asked about beside the leaves."""

    asked: int = Field(ge=0, description="How many.")
    met: int = Field(ge=0, description="Of them, that the judge called met.")
    open: dict[Reason, int] = Field(
        default_factory=dict, description="Of them, those without a grade, by reason."
    )

    @property
    def graded(self) -> int:
        """How many have a grade; where none has, the judge was not tried."""
        return self.asked - sum(self.open.values())

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.met > self.graded:
            raise ValueError("more canaries are met than have a grade")
        return self


class CaseResult(_Value):
    """How the judging of one case went."""

    name: _Name
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
        default=None, description="None where not every leaf has a label and was asked about."
    )
    weighted_mean: bool = Field(
        default=True, description="Whether every group scores as the weighted mean of its children."
    )
    inputs_sha256: str = Field(
        default="", description="Hash of all that a judge is given beside the submission."
    )
    notes: tuple[str, ...] = Field(
        default=(), description="What a judge was not given, in words, such as a missing paper."
    )
    paid: _Dollars | None = Field(
        default=None, description="Dollars that its runs paid; None: unknown, and no zero."
    )
    tokens: int = Field(default=0, description="Tokens that its runs paid for.")
    paid_before: _Dollars = Field(
        default=0.0, description="Of the dollars, what runs before the last one paid."
    )
    tokens_before: int = Field(default=0, description="Of the tokens, likewise.")
    canaries: CanaryCount | None = Field(
        default=None, description="None where the judge was asked about none."
    )
    run: str | None = Field(default=None, description="Name of the grading's run.")
    finished: bool = Field(description="False where it was not reached, or ended early.")
    trouble: str | None = Field(
        default=None, description="What ended the judging early, or kept it from beginning."
    )
    exit_code: int = Field(default=0, description="Exit code that this case alone would give.")


class Sample(_Value):
    """Which leaves were drawn, where not all were asked about."""

    size: int
    of: int = Field(description="Labelled leaves to draw from.")
    seed: int


class JudgeIdentity(_Value):
    """Which judge it was."""

    name: str
    fingerprint: str
    models: tuple[str, ...] = Field(default=(), description="Names of the models that it asks.")
    stops_at_lead: bool = Field(
        default=False,
        description="Whether later samples of a leaf are asked for only where the first differ.",
    )


class Evaluation(_Value):
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
