"""Judges of somebody else: the class that a kind stands for, and what it makes of a card."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points

from pydantic import ValidationError

from rubric_engine.errors import JudgeCardError, Place, RubricEngineError
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.combine import COMBINED
from rubric_engine.judges.kinds import BUILT_IN
from rubric_engine.near import near
from rubric_engine.rubric_file.models import in_words, validation_problems

GROUP = "rubric_engine.judges"
"""Group of the entry points that add kinds of judges."""


def foreign_judge(card: JudgeCard, context: JudgeContext) -> Judge:
    """Make the judge of a card whose kind is not built in.

    Raises:
        JudgeCardError: There is no such kind, or it makes no judge.
    """
    place = context.place
    foreign = _class_of(card, place)
    with foreign_code(f"kind {card.kind!r} makes no judge", place, _wanted(foreign, card)):
        judge = _made(foreign, card, context)
        if isinstance(judge, type):
            message = f"kind {card.kind!r} makes a class, not a judge: {judge!r}"
            raise JudgeCardError(message, place=place)
        if not isinstance(judge, Judge):
            raise JudgeCardError(f"what {card.kind!r} makes is no judge: {judge!r}", place=place)
        return judge


def _wanted(foreign: Callable[..., object], card: JudgeCard) -> list[str]:
    """What may mend a judge of somebody's own that is not made: a setting that its card lacks."""
    try:
        asks = "context" in inspect.signature(foreign).parameters
    except (TypeError, ValueError):  # what cannot be looked into cannot be called either
        asks = False
    if not asks or "model" in card.settings:
        return ["see whether it wants a setting that its card does not have"]
    return [
        f"give it a model where it asks one: --model NAME, or a card with `kind: {card.kind}`"
        " and `model: {name: NAME}`"
    ]


def _made(make: Callable[..., object], card: JudgeCard, context: JudgeContext) -> object:
    """Call a class with the card, and with the context where it has an argument of that name.

    One that takes no argument is given its card after.
    """
    signature = inspect.signature(make)
    if "context" in signature.parameters:
        return make(card, context=context)
    try:
        signature.bind(card)
    except TypeError:
        judge = make()
        vars(judge)["card"] = card
        return judge
    return make(card)


@contextmanager
def foreign_code(what: str, place: Place | None, fix: Sequence[str] = ()) -> Iterator[None]:
    """Turn whatever somebody else's code raises into an error about the judge."""
    try:
        yield
    except RubricEngineError:
        raise
    except ValidationError as error:  # of the card's settings, as a judge of one's own reads them
        said = "; ".join(in_words(*problem[:3]) for problem in validation_problems(error))
        raise JudgeCardError(f"{what}: {said}", place=place, fix=fix) from error
    except (Exception, SystemExit) as error:
        message = f"{what}: {type(error).__name__}: {error}"
        raise JudgeCardError(message, place=place, fix=fix) from error


def _class_of(card: JudgeCard, place: Place) -> Callable[..., object]:
    kind = card.kind
    point = entry_point(kind)
    if point is not None:
        return point
    module, colon, attribute = kind.partition(":")
    if not colon:
        kinds = [*COMBINED, *BUILT_IN, *entry_points(group=GROUP).names]
        meant = near(kind, kinds)
        raise JudgeCardError(
            f"unknown kind {kind!r}" + (f"; {meant}" if meant else ""),
            place=place,
            looked=[f"kinds: {', '.join(kinds)}"],
            fix=["use one of these, or package.module:Class"],
        )
    fix = [f"check that `python -c 'import {module}'` works"]
    with foreign_code(f"kind {kind!r} cannot be loaded", place, fix):
        found = getattr(importlib.import_module(module), attribute)
    return _callable(found, kind, place)


def _callable(found: object, kind: str, place: Place) -> Callable[..., object]:
    if not callable(found):
        what = type(found).__name__  # its value may be anything, the environment for one
        raise JudgeCardError(f"kind {kind!r} is of type {what}, no class", place=place)
    return found


def entry_point(name: str) -> Callable[..., object] | None:
    """The class that an installed package registers as a kind; a card's path is no class."""
    for point in entry_points(group=GROUP, name=name):
        with foreign_code(f"entry point {name!r} cannot be loaded", Place(point.value)):
            found = point.load()
        if callable(found):
            made: Callable[..., object] = found
            return made
    return None
