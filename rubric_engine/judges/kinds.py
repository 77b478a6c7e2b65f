"""The kinds of judges that are built in: their settings, and how each is made of a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rubric_engine.errors import JudgeCardError, Place, UsageError
from rubric_engine.grading import Fraction
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.simple.judge import SimpleJudge
from rubric_engine.judges.simple.settings import SimpleSettings
from rubric_engine.labels import load_labels
from rubric_engine.near import near

_Any = TypeVar("_Any", bound=BaseModel)


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


class CascadeSettings(_Settings):
    """The judges of a cascade."""

    judges: tuple[str, ...] = Field(min_length=1, description="Names or paths, in order.")


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
    return LabelJudge(load_labels(context.folder / file).grades(), card.name or card.kind)


def _simple(card: JudgeCard, context: JudgeContext) -> Judge:
    card = context.effective(card)
    settings = settings_of(card, SimpleSettings, context.place)
    if context.connect is None:
        raise UsageError(
            f"judge {card.name or card.kind!r} asks a model, and none may be asked here"
        )
    model = context.connect(settings.model)
    return SimpleJudge(card, settings, context.folder, model, context.nonce)


BUILT_IN: Mapping[str, Callable[[JudgeCard, JudgeContext], Judge]] = MappingProxyType(
    {
        "rules": _rules,
        "constant": _constant,
        "random": _random,
        "labels": _labels,
        "simple": _simple,
    }
)
"""What makes a judge of a card, by kind; a cascade is made of others and so is not among them."""


def settings_of(card: JudgeCard, model: type[_Any], place: Place) -> _Any:
    """The settings of a card, checked.

    Raises:
        JudgeCardError: One is unknown, missing or wrong.
    """
    try:
        return model.model_validate(card.settings)
    except ValidationError as error:
        lines = [_in_words(each, model) for each in error.errors()]
    known = ", ".join(model.model_fields) or "none"
    raise JudgeCardError(
        f"settings of the kind {card.kind!r}: {'; '.join(lines)}",
        place=place,
        looked=[f"settings of this kind: {known}"],
        fix=[f"edit {place.file}"],
    )


def _in_words(error: Any, model: type[BaseModel]) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        meant = near(name, model.model_fields)
        return f"unknown setting {name!r}" + (f"; {meant}" if meant else "")
    if error["type"] == "missing":
        return f"{name!r} is missing"
    return f"{name!r}: {error['msg'].removeprefix('Value error, ')}"
