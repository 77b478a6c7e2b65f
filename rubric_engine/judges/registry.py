"""Finding a judge: a card by path or name, and the class that its kind stands for."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rubric_engine.errors import JudgeCardError, Place, RubricEngineError, UsageError
from rubric_engine.grading import Fraction
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.baseline import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.judges.combine import Cascade
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.simple.judge import SimpleJudge
from rubric_engine.judges.simple.settings import SimpleSettings
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


class _CascadeSettings(_Settings):
    judges: tuple[str, ...] = Field(min_length=1, description="Names or paths, in order.")


NO_MODEL = JudgeContext()
"""What a judge that asks no model is made with."""

_Any = TypeVar("_Any", bound=BaseModel)


def load_judge(
    judge: str | Path | JudgeCard | Judge,
    *,
    untrusted: Path | None = None,
    context: JudgeContext = NO_MODEL,
) -> Judge:
    """Return a judge.

    Args:
        judge: A judge, which is returned as it is; a card; the path of a card or of its folder;
            or a name, looked up in ``./judges``, among entry points, and among the shipped ones.
        untrusted: A submission's root; no card that lies in it is found by name.
        context: What judges are made with, the place of their card aside.

    Raises:
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    if isinstance(judge, JudgeCard):
        return _build(judge, context, untrusted)
    if isinstance(judge, str | Path):
        return _by_name(str(judge), untrusted, context)
    if isinstance(judge, type):
        message = f"{judge.__name__} is a class, not a judge: give what {judge.__name__}() makes"
        raise JudgeCardError(message)
    if not isinstance(judge, Judge):
        raise JudgeCardError(f"{judge!r} is no judge: it has no `card` and no `grade`")
    return judge


def _by_name(name: str, untrusted: Path | None, context: JudgeContext) -> Judge:
    lookup = Lookup("judges", (CARD,), untrusted)
    with _foreign_code(f"judge {name!r} cannot be loaded", None):
        found = lookup.find(name)  # this loads entry points, too
    if found is None:
        if _entry_point(name) is None:
            raise lookup.missing(name, "judge", JudgeCardError)
        context = replace(context, place=Place(f"entry point {name}"), folder=Path())
        return _build(JudgeCard(name=name, kind=name), context, untrusted)
    file = found / CARD if found.is_dir() else found
    card = load_model(file, JudgeCard, error=JudgeCardError, code="E511")
    if not card.name:
        card = card.model_copy(update={"name": file.resolve().parent.name})
    context = replace(context, place=Place(str(file)), folder=file.parent)
    return _build(card, context, untrusted)


def _build(card: JudgeCard, context: JudgeContext, untrusted: Path | None) -> Judge:
    place = context.place
    if card.kind == "cascade":
        settings = _settings(card, _CascadeSettings, place)
        load = partial(load_judge, untrusted=untrusted, context=context)
        return Cascade([load(member) for member in settings.judges], card)
    make = _BUILT_IN.get(card.kind)
    if make is not None:
        return make(card, context)
    foreign = _foreign(card, place)
    with _foreign_code(f"kind {card.kind!r} makes no judge", place):
        judge = _made(foreign, card)
        if isinstance(judge, type):
            message = f"kind {card.kind!r} makes a class, not a judge: {judge!r}"
            raise JudgeCardError(message, place=place)
        if not isinstance(judge, Judge):
            raise JudgeCardError(f"what {card.kind!r} makes is no judge: {judge!r}", place=place)
        return judge


def _made(make: Callable[..., object], card: JudgeCard) -> object:
    """Call a class with the card, or without where it takes no argument and is given it after."""
    try:
        inspect.signature(make).bind(card)
    except TypeError:
        judge = make()
        vars(judge)["card"] = card
        return judge
    return make(card)


@contextmanager
def _foreign_code(what: str, place: Place | None, fix: Sequence[str] = ()) -> Iterator[None]:
    """Turn whatever somebody else's code raises into an error about the judge."""
    try:
        yield
    except RubricEngineError:
        raise
    except (Exception, SystemExit) as error:
        message = f"{what}: {type(error).__name__}: {error}"
        raise JudgeCardError(message, place=place, fix=fix) from error


def _rules(card: JudgeCard, context: JudgeContext) -> Judge:
    _settings(card, _RulesSettings, context.place)
    return RulesJudge(card)


def _constant(card: JudgeCard, context: JudgeContext) -> Judge:
    return ConstantJudge(_settings(card, _ConstantSettings, context.place).score, card)


def _random(card: JudgeCard, context: JudgeContext) -> Judge:
    return RandomJudge(_settings(card, _RandomSettings, context.place).seed, card)


def _labels(card: JudgeCard, context: JudgeContext) -> Judge:
    if "labels" not in card.settings:
        message = "this card names no labels: 'labels' is missing"
        fix = ["--labels FILE, or a copy of the card with `labels: FILE` in it"]
        raise JudgeCardError(message, place=context.place, fix=fix)
    file = _settings(card, _LabelsSettings, context.place).labels
    return LabelJudge(load_labels(context.folder / file).grades(), card.name or card.kind)


def _simple(card: JudgeCard, context: JudgeContext) -> Judge:
    own = card.settings.get("model")
    if context.model and isinstance(own, dict | None):
        card = card.model_copy(update={"model": {**(own or {}), **context.model}})
    settings = _settings(card, SimpleSettings, context.place)
    if context.connect is None:
        raise UsageError(
            f"judge {card.name or card.kind!r} asks a model, and none may be asked here"
        )
    model = context.connect(settings.model)
    return SimpleJudge(card, settings, context.folder, model, context.nonce)


_BUILT_IN: Mapping[str, Callable[[JudgeCard, JudgeContext], Judge]] = MappingProxyType(
    {
        "rules": _rules,
        "constant": _constant,
        "random": _random,
        "labels": _labels,
        "simple": _simple,
    }
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


def _in_words(error: Any, model: type[BaseModel]) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        meant = near(name, model.model_fields)
        return f"unknown setting {name!r}" + (f"; {meant}" if meant else "")
    if error["type"] == "missing":
        return f"{name!r} is missing"
    return f"{name!r}: {error['msg'].removeprefix('Value error, ')}"


def _foreign(card: JudgeCard, place: Place) -> Callable[[JudgeCard], object]:
    kind = card.kind
    point = _entry_point(kind)
    if point is not None:
        return point
    module, colon, attribute = kind.partition(":")
    if not colon:
        kinds = ["cascade", *_BUILT_IN, *entry_points(group=GROUP).names]
        meant = near(kind, kinds)
        raise JudgeCardError(
            f"unknown kind {kind!r}" + (f"; {meant}" if meant else ""),
            place=place,
            looked=[f"kinds: {', '.join(kinds)}"],
            fix=["use one of these, or package.module:Class"],
        )
    fix = [f"check that `python -c 'import {module}'` works"]
    with _foreign_code(f"kind {kind!r} cannot be loaded", place, fix):
        found = getattr(importlib.import_module(module), attribute)
    return _callable(found, kind, place)


def _callable(found: object, kind: str, place: Place) -> Callable[[JudgeCard], object]:
    if not callable(found):
        what = type(found).__name__  # its value may be anything, the environment for one
        raise JudgeCardError(f"kind {kind!r} is of type {what}, no class", place=place)
    return found


def _entry_point(name: str) -> Callable[[JudgeCard], object] | None:
    """The class that an installed package registers as a kind; a card's path is no class."""
    for point in entry_points(group=GROUP, name=name):
        with _foreign_code(f"entry point {name!r} cannot be loaded", Place(point.value)):
            found = point.load()
        if callable(found):
            made: Callable[[JudgeCard], object] = found
            return made
    return None
