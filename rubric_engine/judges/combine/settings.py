"""What the cards of judges made of judges say, and the judge that each makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from rubric_engine.grading import Fraction
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges.combine.cascade import Cascade
from rubric_engine.judges.combine.panel import Panel
from rubric_engine.judges.combine.repeat import Repeat, RepeatVote
from rubric_engine.judges.combine.votes import PanelVote, log_odds

MOST_SAMPLES = 99
LEAD = 2
"""How far one verdict leads by default: a judge that is right 5 times in 6, 5 % errors each way."""

_Accuracy = Annotated[float, Field(gt=0.5, lt=1, allow_inf_nan=False)]


class CombinedSettings(BaseModel):
    """The settings of a judge made of judges."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def members(self) -> tuple[str, ...]:
        """Names or paths of the members."""
        raise NotImplementedError

    def make(self, judges: Sequence[Judge], card: JudgeCard) -> Judge:
        """The judge.

        Args:
            judges: The members, in their order.
            card: Its card.
        """
        raise NotImplementedError


class CascadeSettings(CombinedSettings):
    """The judges of a cascade."""

    judges: tuple[str, ...] = Field(
        min_length=1, description="Names or paths, in order, each once."
    )
    unsure: tuple[Fraction, Fraction] | None = Field(
        default=None,
        description="`[low, high]`: a grade whose probability lies there goes to the next judge.",
    )

    @field_validator("unsure", mode="before")
    @classmethod
    def _pair(cls, value: Any) -> Any:
        if isinstance(value, list) and len(value) != 2:
            raise ValueError("must be [low, high]")
        return value

    @field_validator("unsure")
    @classmethod
    def _band(cls, value: tuple[float, float] | None) -> tuple[float, float] | None:
        if value is not None and value[0] > value[1]:
            raise ValueError("must be [low, high], the lower probability first")
        return value

    @property
    def members(self) -> tuple[str, ...]:
        """Names or paths of the members."""
        return self.judges

    def make(self, judges: Sequence[Judge], card: JudgeCard) -> Judge:
        """The judge."""
        return Cascade(judges, card, self.unsure)


class PanelSettings(CombinedSettings):
    """The judges of a panel, and how they vote."""

    judges: tuple[str, ...] = Field(min_length=1, description="Names or paths, each once.")
    vote: PanelVote = Field(
        default="majority",
        description="`majority`: more than half of the votes; `mean` of the scores; `weighted`: "
        "more than half of the votes' weight; `unanimous`: all votes.",
    )
    weights: dict[str, _Accuracy] = Field(
        default={},
        validate_default=True,
        description="Balanced accuracy of each judge of a `weighted` panel, by its name in "
        "`judges`, above 0.5 and below 1; its vote weighs ln(p / (1 - p)).",
    )

    @field_validator("judges")
    @classmethod
    def _several(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) == 1:
            raise ValueError("a panel has at least two judges")
        return value

    @field_validator("weights")
    @classmethod
    def _fit(cls, value: dict[str, float], info: ValidationInfo) -> dict[str, float]:
        vote, judges = info.data.get("vote"), info.data.get("judges")
        if vote is None or judges is None:
            return value  # what is wrong there is told by itself
        if vote != "weighted" and value:
            raise ValueError("go with `vote: weighted` alone")
        missing = [name for name in judges if name not in value] if vote == "weighted" else []
        if missing:
            raise ValueError(f"a weighted panel has one of each judge; missing: {_listed(missing)}")
        if more := [name for name in value if name not in judges]:
            raise ValueError(f"not in `judges`, which has {_listed(judges)}: {_listed(more)}")
        return value

    @property
    def members(self) -> tuple[str, ...]:
        """Names or paths of the members."""
        return self.judges

    def make(self, judges: Sequence[Judge], card: JudgeCard) -> Judge:
        """The judge."""
        weights = [log_odds(self.weights[name]) for name in self.judges] if self.weights else None
        return Panel(judges, card, self.vote, weights)


class RepeatSettings(CombinedSettings):
    """Which judge is asked how often."""

    of: str = Field(min_length=1, description="Name or path of the judge that is asked.")
    n: int = Field(ge=2, le=MOST_SAMPLES, description="How many samples; with `lead_by` the most.")
    vote: RepeatVote = Field(
        default="majority",
        description="`majority`: more than half of the samples; `mean` of the scores; `lead_by`: "
        "asks until one verdict leads by `lead`.",
    )
    lead: int | None = Field(
        default=None, ge=2, description=f"How far it leads, with `lead_by`; {LEAD} where unset."
    )

    @field_validator("lead")
    @classmethod
    def _fit(cls, value: int | None, info: ValidationInfo) -> int | None:
        if value is not None and info.data.get("vote", "lead_by") != "lead_by":
            raise ValueError("goes with `vote: lead_by` alone")
        if value is not None and value > info.data.get("n", value):
            raise ValueError("is more than n, which no verdict can reach")
        return value

    @property
    def members(self) -> tuple[str, ...]:
        """Names or paths of the members."""
        return (self.of,)

    def make(self, judges: Sequence[Judge], card: JudgeCard) -> Judge:
        """The judge."""
        (judge,) = judges
        return Repeat(judge, card, self.n, self.vote, self.lead or LEAD)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


COMBINED: Mapping[str, type[CombinedSettings]] = MappingProxyType(
    {"cascade": CascadeSettings, "panel": PanelSettings, "repeat": RepeatSettings}
)
"""Settings by kind."""


def members_of(card: JudgeCard) -> tuple[str, ...]:
    """Names or paths of the judges that a card names.

    None where it is of another kind, or where its settings are wrong, so that it makes no judge.
    """
    if card.kind not in COMBINED:
        return ()
    try:
        return COMBINED[card.kind].model_validate(card.settings).members
    except ValidationError:
        return ()
