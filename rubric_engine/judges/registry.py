"""Finding a judge: a card by path or name, and the class that its kind stands for."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import InputError, JudgeCardError, Place, RubricEngineError
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.combine import COMBINED
from rubric_engine.judges.kinds import BUILT_IN
from rubric_engine.judges.settings import place_in, settings_of
from rubric_engine.lookup import Lookup
from rubric_engine.near import near
from rubric_engine.rubric_file import load_model
from rubric_engine.rubric_file.models import in_words, validation_problems

GROUP = "rubric_engine.judges"
"""Group of the entry points that add kinds of judges."""

CARD = "judge.yaml"
"""Name of the card in a judge's folder."""

NO_MODEL = JudgeContext()
"""What a judge that asks no model is made with."""


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


def find_card(name: str, *, untrusted: Path | None = None) -> tuple[JudgeCard, Path | None]:
    """Return the card that a name or a path stands for, and its file.

    The file is None where a package registers the judge and no card is written anywhere.

    Raises:
        JudgeCardError: There is no such card, or it cannot be read.
    """
    lookup = Lookup("judges", (CARD,), untrusted)
    with _foreign_code(f"judge {name!r} cannot be loaded", None):
        found = lookup.find(name)  # this loads entry points, too
    if found is None:
        if _entry_point(name) is None:
            raise _missing(name, lookup)
        return JudgeCard(name=name, kind=name), None
    file = found / CARD if found.is_dir() else found
    card = _read(file)
    if not card.name:
        card = card.model_copy(update={"name": file.resolve().parent.name})
    return card, file


def _read(file: Path) -> JudgeCard:
    try:
        return load_model(file, JudgeCard, error=JudgeCardError, code="E511")
    except JudgeCardError as error:
        error.fix = (*error.fix, f"edit {file}; docs/judges.md explains every key")
        raise


_OF_LABELS = {
    "majority": ("rubric-engine judgeeval run --judge majority   it is made of labels",),
    "replay": (
        "rubric-engine judgeeval run --judge replay   repeats labels with planted errors",
        "rubric-engine grade ... --labels FILE   replays a person's labels as grades",
        "rubric-engine grade ... --judge JUDGE   of a judge that was paid: replays its calls",
    ),
}
"""What is meant by names of judges that only JudgeEval has, for it has the labels."""


def _missing(name: str, lookup: Lookup) -> InputError:
    """The error for a name that finds no card; a kind of judge is none."""
    missing = lookup.missing(name, "judge", JudgeCardError)
    if name in _OF_LABELS:
        missing.fix = (*_OF_LABELS[name], *missing.fix)
    if name not in COMBINED and name not in BUILT_IN:
        return missing
    return JudgeCardError(
        f"no judge {name!r}: that is a kind, and there is no card of this name",
        looked=missing.looked,
        fix=[f"write ./judges/mine/judge.yaml with `kind: {name}`; docs/judges.md lists its keys"],
    )


def _by_name(
    name: str, untrusted: Path | None, context: JudgeContext, within: tuple[Path, ...] = ()
) -> Judge:
    """The judge of a name; `within` are the cards of the judges that it is a member of."""
    card, file = find_card(name, untrusted=untrusted)
    if file is None:
        context = replace(context, place=Place(f"entry point {name}"), folder=Path())
    else:
        context = replace(context, place=Place(str(file)), folder=file.parent)
        within = (*within, file.resolve())
    return _build(card, context, untrusted, within)


def _build(
    card: JudgeCard, context: JudgeContext, untrusted: Path | None, within: tuple[Path, ...] = ()
) -> Judge:
    place = context.place
    if card.kind in COMBINED:
        settings = settings_of(card, COMBINED[card.kind], place)
        _each_once(settings.members, place, untrusted, within)
        load = partial(_by_name, untrusted=untrusted, context=context, within=within)
        return settings.make([load(member) for member in settings.members], card)
    make = BUILT_IN.get(card.kind)
    if make is not None:
        return make(card, context)
    foreign = _foreign(card, place)
    with _foreign_code(f"kind {card.kind!r} makes no judge", place, _wanted(foreign, card)):
        judge = _made(foreign, card, context)
        if isinstance(judge, type):
            message = f"kind {card.kind!r} makes a class, not a judge: {judge!r}"
            raise JudgeCardError(message, place=place)
        if not isinstance(judge, Judge):
            raise JudgeCardError(f"what {card.kind!r} makes is no judge: {judge!r}", place=place)
        return judge


def _each_once(
    members: Sequence[str], place: Place, untrusted: Path | None, within: tuple[Path, ...]
) -> None:
    """Refuse a member that is none, that stands twice, or that is what it would be a member of."""
    names: dict[Path | str, str] = {}
    for at, name in enumerate(members):
        try:
            _, file = find_card(name, untrusted=untrusted)
        except JudgeCardError as error:
            error.place = error.place or _line(place, at)  # whose member it is
            raise
        which = file.resolve() if file is not None else name
        if which in within:
            raise JudgeCardError(
                f"judge {name!r} is made of itself",
                place=_line(place, at),
                looked=[f"{card} names the next one" for card in within],
                fix=[f"edit {place.file}: name judges that do not name this one"],
            )
        if which in names:
            alias = "" if names[which] == name else f", once as {names[which]!r}"
            raise JudgeCardError(
                f"{name!r} stands twice in judges{alias}: asked again, a judge says the same",
                place=_line(place, at),
                fix=[f"edit {place.file}: name each once; `kind: repeat` samples a judge again"],
            )
        names[which] = name


def _line(place: Place, at: int) -> Place:
    """Where a card names one of its members; a repeat names its only one under another key."""
    return place_in(place, ("judges", at, "of"))


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
def _foreign_code(what: str, place: Place | None, fix: Sequence[str] = ()) -> Iterator[None]:
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


def _foreign(card: JudgeCard, place: Place) -> Callable[..., object]:
    kind = card.kind
    point = _entry_point(kind)
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
    with _foreign_code(f"kind {kind!r} cannot be loaded", place, fix):
        found = getattr(importlib.import_module(module), attribute)
    return _callable(found, kind, place)


def _callable(found: object, kind: str, place: Place) -> Callable[..., object]:
    if not callable(found):
        what = type(found).__name__  # its value may be anything, the environment for one
        raise JudgeCardError(f"kind {kind!r} is of type {what}, no class", place=place)
    return found


def _entry_point(name: str) -> Callable[..., object] | None:
    """The class that an installed package registers as a kind; a card's path is no class."""
    for point in entry_points(group=GROUP, name=name):
        with _foreign_code(f"entry point {name!r} cannot be loaded", Place(point.value)):
            found = point.load()
        if callable(found):
            made: Callable[..., object] = found
            return made
    return None
