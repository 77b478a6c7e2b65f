"""What a judge says of a leaf (`Grade`) and what follows for a criterion (`Score`).

A grade is a value beside the rubric, never a part of it; and no grade is not a zero: a leaf that
could not be graded is `ungradeable` with a reason, and stays out of every "not met".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

Status = Literal["graded", "ungradeable", "not_applicable"]

Reason = Literal[
    "needs_model",
    "not_run",
    "rubric_error",
    "provider_error",
    "check_limit",
    "refused",
    "unparseable",
    "cut_off",
    "context_overflow",
    "split",
    "budget",
    "cancelled",
    "infra",
]

REASONS: tuple[Reason, ...] = get_args(Reason)

NOBODY_TRIED: frozenset[Reason] = frozenset({"needs_model", "not_run"})
"""Reasons that are no failure: this judge was not asked to grade the leaf."""

MISSING_WORK: frozenset[Reason] = frozenset({"provider_error", "budget", "cancelled", "infra"})
"""Reasons for which a leaf is asked about again: asking may help later."""

MAY_DIFFER: frozenset[Reason] = frozenset({"refused", "unparseable", "cut_off"})
"""Reasons for which another answer may be a grade: `retry_failed` asks again."""

MET_FROM = 0.5
"""Score from which on a leaf counts as met, wherever a verdict is made of a score."""

Fraction = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_Value):
    """A place in the submission that bears a verdict out."""

    path: str = Field(description="File, relative to the submission's root.")
    start_line: int | None = Field(default=None, ge=1, description="First line, from 1.")
    end_line: int | None = Field(default=None, ge=1, description="Last line, from 1.")
    quote: str | None = Field(default=None, description="The text found there.")
    verified: Literal["verified", "moved", "not_found"] | None = Field(
        default=None, description="Whether the quote stands in the submission at that place."
    )

    def __str__(self) -> str:
        if self.start_line is None:
            return self.path
        last = self.end_line
        span = f"-{last}" if last is not None and last != self.start_line else ""
        return f"{self.path}:{self.start_line}{span}"


class CheckResult(_Value):
    """What one check looked for and what it found."""

    check: str = Field(description="Kind of the check, such as `number`.")
    looked_for: str
    found: str
    score: Fraction | None = Field(description="0 to 1; None where it could not be evaluated.")
    reason: Reason | None = Field(default=None, description="Why it could not be evaluated.")
    citations: tuple[Citation, ...] = ()


class Grade(_Value):
    """A judge's word on one leaf; build it with `graded`, `ungradeable` or `not_applicable`."""

    status: Status
    score: Fraction | None = None
    probability: Fraction | None = Field(
        default=None, description="The judge's probability that the leaf is met."
    )
    sd: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Standard deviation of the score, where it is what a judge expects.",
    )
    explanation: str = ""
    citations: tuple[Citation, ...] = ()
    samples: tuple[Fraction, ...] = Field(default=(), description="Scores of repeated judgements.")
    reason: Reason | None = None
    usage: dict[str, float] = Field(default_factory=dict, description="Tokens and cost.")
    judge: str | None = Field(default=None, description="Name and fingerprint of the judge.")
    receipt: str | None = Field(default=None, description="Hash of what the judge was not shown.")
    calls: tuple[str, ...] = Field(default=(), description="Ledger keys of the calls behind it.")
    members: tuple[Grade, ...] = Field(default=(), description="A composite's single grades.")
    checks: tuple[CheckResult, ...] = ()

    @model_validator(mode="after")
    def _status_fits(self) -> Self:
        if (self.status == "graded") != (self.score is not None):
            raise ValueError("a grade has a score exactly when its status is 'graded'")
        if (self.status == "ungradeable") != (self.reason is not None):
            raise ValueError("a grade has a reason exactly when its status is 'ungradeable'")
        return self

    @classmethod
    def graded(
        cls,
        score: float,
        explanation: str = "",
        citations: Sequence[Citation] = (),
        **more: Any,
    ) -> Grade:
        """A leaf that was judged.

        Args:
            score: 0 (not met) to 1 (met).
            explanation: Why.
            citations: Where the submission bears it out.
            **more: Any further field of `Grade`.

        Raises:
            pydantic.ValidationError: The score is not a number from 0 to 1.
        """
        return cls(
            status="graded",
            score=score,
            explanation=explanation,
            citations=tuple(citations),
            **more,
        )

    @classmethod
    def ungradeable(cls, reason: Reason, explanation: str = "", **more: Any) -> Grade:
        """A leaf that nobody could grade, and why; it never counts as judged "not met".

        Args:
            reason: One of `REASONS`.
            explanation: The reason in words.
            **more: Any further field of `Grade`.
        """
        return cls(status="ungradeable", reason=reason, explanation=explanation, **more)

    @classmethod
    def not_applicable(cls, explanation: str = "", **more: Any) -> Grade:
        """A leaf that does not concern this submission; it leaves the score altogether."""
        return cls(status="not_applicable", explanation=explanation, **more)

    def parts(self) -> Iterator[Grade]:
        """This grade, and those of its members, and of theirs."""
        yield self
        for member in self.members:
            yield from member.parts()

    def unheard(self) -> Iterator[Grade]:
        """Words of judges that this grade was made without, though they were to have their say.

        These are the ones that got no answer, and those that failed after the last grade. A leaf
        that is open has none: what it lacks is its own reason.
        """
        parts = tuple(self.parts()) if self.reason is None else ()
        last = max(
            (at for at, part in enumerate(parts) if part.score is not None), default=len(parts)
        )
        for at, part in enumerate(parts):
            if part.reason in MISSING_WORK or (part.failed and at > last):
                yield part

    @property
    def failed(self) -> bool:
        """True where a judge tried and could not: the run is incomplete."""
        return self.reason is not None and self.reason not in NOBODY_TRIED


class Score(_Value):
    """The score of a criterion, all numbers from 0 to 1.

    `low` and `high` are what it would be if every leaf without a grade were 0, or 1. All three
    are None where nothing is left to score. `sd` is the standard deviation of `value` where judges
    gave leaves expected scores, taking leaves to be independent; None where none did, or where an
    aggregate on the way is no weighted mean.
    """

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    coverage: Fraction
    sd: float | None = None


def grade_dict(grade: Grade) -> dict[str, Any]:
    """A grade as plain JSON values, defaults left out."""
    return grade.model_dump(mode="json", exclude_defaults=True)
