"""What one judge said of one labelled case: leaf by leaf, at the root, of its canaries. Pure."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rubric_engine.grading import Fraction, Reason, Status
from rubric_engine.judgeeval.pairs import TOLERANCE


class Value(BaseModel):
    """A frozen value that takes no field that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Dollars = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


def _no_nul(name: str) -> str:
    if "\0" in name:
        raise ValueError("a name holds no NUL character")
    return name


_Name = Annotated[str, AfterValidator(_no_nul)]


class LeafResult(Value):
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


class CaseRoot(Value):
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


class CanaryCount(Value):
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


class CaseResult(Value):
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
