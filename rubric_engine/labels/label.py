"""One annotator's word on a leaf, and all of an annotator's on one submission."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    model_validator,
)

from rubric_engine.grading import MET_FROM, Citation, Fraction, Grade
from rubric_engine.labels.slips import verdict_slip

Verdict = Literal["met", "not_met", "cannot_judge"]

_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?", re.DOTALL)


_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What no text file can hold."""


def is_text(value: str) -> bool:
    """Whether every format can hold a text."""
    if value.isascii():  # much the quickest to tell
        return "\0" not in value
    return _NO_TEXT.search(value) is None


def _text(value: str) -> str:
    if not is_text(value):
        raise ValueError("holds a NUL or half of a surrogate pair, which is no character")
    return value


def _or_none(value: Any) -> Any:
    return None if value == "" else value


def _verdict(value: Any) -> Any:
    """A verdict, or in words which one is meant."""
    wrong = verdict_slip(value) if isinstance(value, str) else None
    if wrong:
        raise ValueError(wrong)
    return value


def _in_utc(time: str) -> str:
    moment = datetime.fromisoformat(time)
    if moment.tzinfo is None:
        raise ValueError(f"{time!r} names no time zone; write 2026-05-01T12:00:00Z")
    return moment.astimezone(UTC).isoformat()


def _places(values: Any) -> Any:
    """Citations as people write them: `src/a.py:3-9`."""
    if not isinstance(values, list | tuple):
        return values
    return [_place(value) if isinstance(value, str) else value for value in values]


def _place(text: str) -> dict[str, Any]:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError("a citation is a path, as in src/a.py:3-9")
    start, end = found["start"], found["end"] or found["start"]
    return {"path": found["path"], "start_line": start, "end_line": end}


def _of_text(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    for citation in citations:
        _text(citation.path + (citation.quote or ""))
    return citations


def mark_of(sha256: str, name: str) -> str:
    """How labels name the submission that they are of: the start of its hash, and its name.

    Args:
        sha256: Its hash.
        name: Its name for people; it may differ from place to place.
    """
    return f"{sha256[:MARK]} {_NO_TEXT.sub('?', name)}".rstrip()


MARK = 12
"""Digits of a submission's hash in a label."""

Text = Annotated[str, AfterValidator(_text)]


class Label(BaseModel):
    """One annotator's word on one leaf."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Annotated[Verdict, BeforeValidator(_verdict)]
    reason: Text = Field(default="", description="Why, in the annotator's words.")
    score: Fraction | None = Field(default=None, description="A finer score, from 0 to 1.")
    citations: Annotated[
        tuple[Citation, ...], BeforeValidator(_places), AfterValidator(_of_text)
    ] = Field(default=(), description="Where the submission bears it out, such as src/a.py:3-9.")
    annotator: Annotated[Text, Field(min_length=1)] | None = Field(
        default=None, description="Who labelled; None: as the file."
    )
    time: Annotated[str, AfterValidator(_in_utc)] | None = Field(
        default=None, description="When, in ISO 8601, UTC."
    )
    seconds: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="How long it took."
    )
    blind: bool = Field(default=True, description="False: made with a judge's verdict in sight.")
    inclusion: float | None = Field(
        default=None, gt=0, le=1, description="Chance of the leaf to be drawn for labelling."
    )
    leaf: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        default=None, description="Hash of the leaf's text and of those above it."
    )
    submission: Annotated[str, Field(pattern=r"^[0-9a-f]{12}( [^\x00]*)?$")] | None = Field(
        default=None, description="Start of the submission's hash, and its name for people."
    )
    flag: Annotated[Text | None, BeforeValidator(_or_none)] = Field(
        default=None, description="What is doubtful about the rubric here."
    )
    votes: dict[Text, Verdict] = Field(
        default_factory=dict, description="Whose verdicts it was made of, by annotator."
    )

    @model_validator(mode="after")
    def _score_fits(self) -> Self:
        if self.score is None:
            return self
        if self.verdict == "cannot_judge":
            raise ValueError("a leaf that cannot be judged has no score")
        if (self.verdict == "met") != (self.score >= MET_FROM):
            raise ValueError(f"verdict {self.verdict} does not fit score {self.score:g}")
        return self

    @property
    def value(self) -> float | None:
        """The score, 0 to 1; None where the annotator could not judge."""
        if self.verdict == "cannot_judge":
            return None
        return self.score if self.score is not None else float(self.verdict == "met")

    def is_of(self, sha256: str | None) -> bool:
        """Whether it can be of the submission with that hash: either may be unknown."""
        return not self.submission or not sha256 or self.submission.startswith(sha256[:MARK])

    @property
    def grade(self) -> Grade:
        """The label as a grade; a leaf that the annotator could not judge has no score."""
        score = self.value
        if score is None:
            return Grade.ungradeable("needs_model", f"the annotator could not judge: {self.reason}")
        return Grade.graded(score, self.reason, self.citations)


class Labels(BaseModel):
    """All labels of one annotator on one submission."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    annotator: Text = Field(description="Who labelled.")
    labels: dict[Text, Label] = Field(description="Label by key of the leaf.")
    _warnings: tuple[str, ...] = PrivateAttr(default=())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the loader found odd and let pass, one line each."""
        return self._warnings

    @property
    def seen(self) -> tuple[str, ...]:
        """Keys of the labels that were made with a judge's verdict in sight."""
        return tuple(key for key, label in self.labels.items() if not label.blind)

    def grades(self, *, seen: bool = False) -> dict[str, Grade]:
        """The labels as grades, by key.

        Args:
            seen: Take those as well that were made with a judge's verdict in sight; they agree
                with that judge more than they should, and are no truth to hold judges against.
        """
        return {key: row.grade for key, row in self.labels.items() if seen or row.blind}

    def with_warnings(self, warnings: Iterable[str]) -> Labels:
        """The same labels with what was odd about their file."""
        noted = self.model_copy()
        noted._warnings = tuple(warnings)
        return noted
