"""Finding a judge: a card by path or name, and the class that its kind stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rubric_engine.errors import InputError, JudgeCardError, Place
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges.combine import COMBINED
from rubric_engine.judges.foreign import entry_point, foreign_code, foreign_judge
from rubric_engine.judges.kinds import BUILT_IN
from rubric_engine.judges.settings import place_in, settings_of
from rubric_engine.lookup import Lookup
from rubric_engine.rubric_file import load_model

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
    with foreign_code(f"judge {name!r} cannot be loaded", None):
        found = lookup.find(name)  # this loads entry points, too
    if found is None:
        if entry_point(name) is None:
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
    return foreign_judge(card, context)


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
