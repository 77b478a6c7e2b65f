"""Finding a judge: a card by path or name, and the class that its kind stands for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rubric_engine.errors import JudgeCardError, Place
from rubric_engine.grading import Fraction
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.labels import load_labels
from rubric_engine.lookup import Lookup
from rubric_engine.near import near
from rubric_engine.rubric_file import load_model

GROUP = "rubric_engine.judges"
"""Group of the entry points that add kinds of judges."""

CARD = "judge.yaml"
"""Name of the card in a judge's folder."""


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


_Any = TypeVar("_Any", bound=_Settings)


def load_judge(judge: str | Path | JudgeCard | Judge, *, untrusted: Path | None = None) -> Judge:
    """Return a judge.

    Args:
        judge: A judge, which is returned as it is; a card; the path of a card or of its folder;
            or a name, looked up in ``./judges``, among entry points, and among the shipped ones.
        untrusted: A submission's root; no card that lies in it is found by name.

    Raises:
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    if isinstance(judge, JudgeCard):
        return _build(judge, Place("the judge card"), Path())
    if isinstance(judge, str | Path):
        return _by_name(str(judge), untrusted)
    if not isinstance(judge, Judge):
        raise JudgeCardError(f"{judge!r} is no judge: it has no `card` and no `grade`")
    return judge


def _by_name(name: str, untrusted: Path | None) -> Judge:
    lookup = Lookup("judges", untrusted)
    found = lookup.find(name)
    if found is None:
        if _entry_point(name) is None:
            raise lookup.missing(name, "judge", JudgeCardError)
        return _build(JudgeCard(name=name, kind=name), Place(f"entry point {name}"), Path())
    file = found / CARD if found.is_dir() else found
    card = load_model(file, JudgeCard, error=JudgeCardError, code="E511")
    if not card.name:
        card = card.model_copy(update={"name": file.resolve().parent.name})
    return _build(card, Place(str(file)), file.parent)


def _build(card: JudgeCard, place: Place, folder: Path) -> Judge:
    make = _BUILT_IN.get(card.kind)
    if make is not None:
        return make(card, place, folder)
    judge = _foreign(card, place)(card)
    if not isinstance(judge, Judge):
        raise JudgeCardError(f"what {card.kind!r} makes is no judge: {judge!r}", place=place)
    return judge


def _rules(card: JudgeCard, place: Place, _: Path) -> Judge:
    _settings(card, _RulesSettings, place)
    return RulesJudge(card)


def _constant(card: JudgeCard, place: Place, _: Path) -> Judge:
    return ConstantJudge(_settings(card, _ConstantSettings, place).score, card)


def _random(card: JudgeCard, place: Place, _: Path) -> Judge:
    return RandomJudge(_settings(card, _RandomSettings, place).seed, card)


def _labels(card: JudgeCard, place: Place, folder: Path) -> Judge:
    file = _settings(card, _LabelsSettings, place).labels
    return LabelJudge(load_labels(folder / file).grades(), card.name or card.kind)


_BUILT_IN: Mapping[str, Callable[[JudgeCard, Place, Path], Judge]] = MappingProxyType(
    {"rules": _rules, "constant": _constant, "random": _random, "labels": _labels}
)


def _settings(card: JudgeCard, model: type[_Any], place: Place) -> _Any:
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


def _in_words(error: Any, model: type[_Settings]) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        meant = near(name, model.model_fields)
        return f"unknown setting {name!r}" + (f"; {meant}" if meant else "")
    if error["type"] == "missing":
        return f"{name!r} is missing"
    return f"{name!r}: {error['msg']}"


def _foreign(card: JudgeCard, place: Place) -> Callable[[JudgeCard], object]:
    kind = card.kind
    point = _entry_point(kind)
    if point is not None:
        return point
    module, colon, attribute = kind.partition(":")
    if not colon:
        kinds = [*_BUILT_IN, *entry_points(group=GROUP).names]
        meant = near(kind, kinds)
        raise JudgeCardError(
            f"unknown kind {kind!r}" + (f"; {meant}" if meant else ""),
            place=place,
            looked=[f"kinds: {', '.join(kinds)}"],
            fix=["use one of these, or package.module:Class"],
        )
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        fix = [f"check that `python -c 'import {module}'` works"]
        message = f"kind {kind!r} cannot be loaded: {error}"
        raise JudgeCardError(message, place=place, fix=fix) from error
    return _callable(found, kind, place)


def _callable(found: object, kind: str, place: Place) -> Callable[[JudgeCard], object]:
    if not callable(found):
        raise JudgeCardError(f"kind {kind!r} is no class but {found!r}", place=place)
    return found


def _entry_point(name: str) -> Callable[[JudgeCard], object] | None:
    """The class that an installed package registers as a kind; a card's path is no class."""
    for point in entry_points(group=GROUP, name=name):
        found = point.load()
        if callable(found):
            made: Callable[[JudgeCard], object] = found
            return made
    return None
