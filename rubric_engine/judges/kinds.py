"""The kinds of judges that are built in: their settings, and how each is made of a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.errors import JudgeCardError, UsageError
from rubric_engine.grading import Fraction
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.decision.judge import DecisionJudge
from rubric_engine.judges.decision.settings import DecisionSettings
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.settings import settings_of
from rubric_engine.judges.simple.judge import SimpleJudge
from rubric_engine.judges.simple.settings import SimpleSettings
from rubric_engine.labels import load_labels


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _RulesSettings(_Settings):
    """The rules judge has none."""


class _ConstantSettings(_Settings):
    score: Fraction = Field(description="Score of every leaf.")


class _RandomSettings(_Settings):
    seed: int = Field(default=0, description="Seed of the tosses.")


class _LabelsSettings(_Settings):
    labels: str = Field(min_length=1, description="Label file, relative to the card.")


def _rules(card: JudgeCard, context: JudgeContext) -> Judge:
    settings_of(card, _RulesSettings, context.place)
    return RulesJudge(card)


def _constant(card: JudgeCard, context: JudgeContext) -> Judge:
    return ConstantJudge(settings_of(card, _ConstantSettings, context.place).score, card)


def _random(card: JudgeCard, context: JudgeContext) -> Judge:
    return RandomJudge(settings_of(card, _RandomSettings, context.place).seed, card)


def _labels(card: JudgeCard, context: JudgeContext) -> Judge:
    if "labels" not in card.settings:
        message = "this card names no labels: 'labels' is missing"
        fix = ["--labels FILE, or a copy of the card with `labels: FILE` in it"]
        raise JudgeCardError(message, place=context.place, fix=fix)
    file = settings_of(card, _LabelsSettings, context.place).labels
    judge = LabelJudge(load_labels(context.folder / file).grades(), card.name or card.kind)
    judge.card = judge.card.model_copy(update={"canaries": card.canaries})
    return judge


def _simple(card: JudgeCard, context: JudgeContext) -> Judge:
    card = context.effective(card)
    settings = settings_of(card, SimpleSettings, context.place)
    if context.connect is None:
        raise UsageError(
            f"judge {card.name or card.kind!r} asks a model, and none may be asked here"
        )
    model = context.connect(settings.model)
    return SimpleJudge(card, settings, context.folder, model, context.nonce)


def _decision(card: JudgeCard, context: JudgeContext) -> Judge:
    card = context.effective(card)
    settings = settings_of(card, DecisionSettings, context.place)
    if context.decide is None:
        raise UsageError(
            f"judge {card.name or card.kind!r} asks a model, and none may be asked here"
        )
    model = context.decide(settings.model, settings.requests)
    return DecisionJudge(card, settings, context.folder, model, context.nonce)


def _monitor(card: JudgeCard, context: JudgeContext) -> Judge:
    """Refuse: who reads a log for the monitor says nothing of a leaf."""
    name = card.name or card.kind
    raise JudgeCardError(
        f"{name!r} is a monitor and no judge: it grades no leaves",
        code="E586",
        place=context.place,
        fix=[
            "rubric-engine monitor SUBMISSION --log FILE --judge monitor",
            "rubric-engine grade SUBMISSION ... --agent-log FILE --monitor-model NAME",
        ],
    )


BUILT_IN: Mapping[str, Callable[[JudgeCard, JudgeContext], Judge]] = MappingProxyType(
    {
        "rules": _rules,
        "constant": _constant,
        "random": _random,
        "labels": _labels,
        "simple": _simple,
        "decision": _decision,
        "monitor": _monitor,
    }
)
"""What makes a judge of a card, by kind; judges made of others are `combine.COMBINED`."""
