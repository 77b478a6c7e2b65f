"""The settings of a card, checked as strictly as a rubric, with the place of what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rubric_engine.errors import JudgeCardError, Place, Problem, UsageError
from rubric_engine.judge import JudgeCard
from rubric_engine.model import ModelConfig
from rubric_engine.rubric_file import parse_yaml
from rubric_engine.rubric_file.document import Document
from rubric_engine.rubric_file.models import in_words, mark_of, several, validation_problems
from rubric_engine.rubric_file.scalars import Wrong
from rubric_engine.rubric_file.source import Blame
from rubric_engine.rubric_file.typed import record

_CODE = "E511"
_Any = TypeVar("_Any", bound=BaseModel)


def settings_of(card: JudgeCard, model: type[_Any], place: Place) -> _Any:
    """The settings of a card, checked.

    Args:
        card: The card.
        model: What its kind takes.
        place: Where the card stands.

    Raises:
        JudgeCardError: Settings are unknown, missing or wrong; each is named, with its place and
            with the names that are known there.
    """
    given = card.model_dump(mode="json", include=set(card.settings))
    try:
        return model.model_validate(record(model, given))
    except ValidationError as error:
        failed = error
    problems = list(_problems(failed, place))
    wrong = several(problems, JudgeCardError)
    raise JudgeCardError(
        wrong.message,
        place=wrong.place,
        looked=list(_known(failed, card.kind, model)),
        fix=[*wrong.fix, f"edit {place.file}; docs/judges.md explains every key"],
        problems=wrong.problems,
    ) from None


def check_model(given: Mapping[str, Any]) -> None:
    """Check what takes the place of a card's settings of the model.

    Raises:
        UsageError: A setting is unknown or wrong.
    """
    try:
        ModelConfig.model_validate(record(ModelConfig, {"name": "any", **given}))
    except ValidationError as error:
        problems = list(validation_problems(error))
        raise UsageError(
            "; ".join(in_words(*problem[:3]) for problem in problems),
            place=Place("model="),
            looked=[f"keys of a model: {', '.join(ModelConfig.model_fields)}"],
            fix=[hint for *_, hint in problems if hint],
        ) from None


def place_in(place: Place, loc: Sequence[Any]) -> Place:
    """Where a setting of a card stands: its line, where the card is a file.

    Args:
        place: Where the card stands.
        loc: Keys and indices; one that leads nowhere is passed over.
    """
    return _place(_document(place), loc, "") or place


def _problems(failed: ValidationError, place: Place) -> Iterator[Problem]:
    document = _document(place)
    for loc, kind, message, hint in validation_problems(failed):
        where = _place(document, loc, kind) or place
        yield Problem(_CODE, in_words(loc, kind, message), where, hint=hint)


def _document(place: Place) -> Document | None:
    """The card once more, for its positions; None where it is no file."""
    if not Path(place.file).is_file():
        return None
    return parse_yaml(place.file, Blame(JudgeCardError, _CODE, "file"))


def _place(document: Document | None, loc: Sequence[Any], kind: str) -> Place | None:
    if document is None or document.places is None:
        return None
    return document.place(mark_of(document.places, document.value, loc, kind))


def _known(failed: ValidationError, kind: str, model: type[BaseModel]) -> Iterator[str]:
    """The keys that are known wherever an unknown one was found; those of the kind, if none was."""
    unknown = [item for item in failed.errors() if isinstance(item["input"], Wrong)]
    by_place = {item["loc"][:-1]: item["input"].known for item in unknown if item["input"].known}
    for loc, known in (by_place or {(): tuple(model.model_fields)}).items():
        name = ".".join(map(str, loc))
        whose = f"keys of {name!r}" if name else f"settings of the kind {kind!r}"
        yield f"{whose}: {', '.join(known) or 'none'}"
