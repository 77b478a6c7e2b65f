"""Copying a judge: its card, with comments, and its prompts, into a folder that stands alone."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from rubric_engine.errors import JudgeCardError, UsageError
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.registry import CARD, find_card
from rubric_engine.rubric_file import load_model

_PROMPTS = "*.jinja2"


def copy_judge(source: str, folder: Path) -> tuple[str, ...]:
    """Copy a judge into a new folder, which depends on nothing of the old one.

    Args:
        source: Name or path of the judge.
        folder: The folder to make; its name is the new judge's.

    Returns:
        The files that were written, relative to the folder, the card first.

    Raises:
        UsageError: The folder exists.
        JudgeCardError: There is no such judge, or a prompt that it names cannot be read.
        OSError: The folder cannot be written.
    """
    card, file = find_card(source)
    contents = dict(_contents(card, file, folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError:
        raise UsageError(
            f"{folder} exists already, and nothing is overwritten",
            fix=["choose another name, or another folder with -o DIR"],
        ) from None
    try:
        for name, content in contents.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return tuple(contents)


def _contents(card: JudgeCard, file: Path | None, folder: Path) -> Iterator[tuple[str, bytes]]:
    """What the folder will hold: content by name."""
    if file is None:  # a package registers a class, and there is no card to copy
        yield CARD, f"judge: 1\nkind: {card.kind}\n".encode()
        return
    given = load_model(file, JudgeCard, error=JudgeCardError, code="E511")
    own = given.model_dump(mode="json", exclude_unset=True)
    prompts = _named_prompts(own.get("prompts"))
    changed = _changed(own, prompts, file, folder)
    yield CARD, _edited(file.read_text(encoding="utf-8"), own, changed).encode()
    taken = {str(place): PurePosixPath(place) for place in prompts.values()}
    if file.name == CARD:
        found = sorted(path.name for path in file.parent.glob(_PROMPTS))
        taken |= {name: PurePosixPath(name) for name in found if name not in taken}
    for name, place in _placed(prompts, taken).items():
        content = _read(file.parent / place)
        if content is not None:
            yield name, content


def _named_prompts(given: object) -> dict[str, str]:
    """The prompts that a card names itself, by what they are for."""
    named = given if isinstance(given, Mapping) else {}
    return {str(key): path for key, path in named.items() if isinstance(path, str)}


def _home(key: str, path: str) -> str:
    """Where a prompt stands in the copy: where it stood, or beside the card."""
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts:
        return key + place.suffix
    return str(place)


def _placed(
    prompts: Mapping[str, str], taken: Mapping[str, PurePosixPath]
) -> dict[str, PurePosixPath]:
    """By name in the copy, where a prompt is read from."""
    homes = {path: _home(key, path) for key, path in prompts.items()}
    return {homes.get(path, path): place for path, place in taken.items()}


def _read(path: Path) -> bytes | None:
    """A prompt; None where there is none, as a card may name some that its judge never reads."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JudgeCardError(f"prompt {path} cannot be read: {error.strerror}") from None


def _changed(
    own: Mapping[str, Any], prompts: Mapping[str, str], file: Path, folder: Path
) -> dict[str, Any]:
    """What the card of the copy says in another way."""
    changed: dict[str, Any] = {}
    if own.get("name"):
        changed["name"] = folder.name
    homes = {key: _home(key, path) for key, path in prompts.items()}
    if homes != prompts:
        changed["prompts"] = homes
    labels = own.get("labels")
    if isinstance(labels, str):
        changed["labels"] = os.path.relpath(file.parent / labels, folder)
    return changed


def _edited(text: str, own: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    """The card's text with some keys changed; its comments stay where the text allows it."""
    edited = text
    for key, value in changed.items():
        block = re.compile(rf"^{key}[ ]*:.*\n?(?:[ \t]+.*\n?)*", re.MULTILINE)
        said = yaml.safe_dump({key: value}, sort_keys=False, allow_unicode=True)
        edited = block.sub(lambda _, said=said: said, edited, count=1)  # type: ignore[misc]
    meant = {**own, **changed}
    if not changed or _says(edited, meant):
        return edited
    return yaml.safe_dump(meant, sort_keys=False, allow_unicode=True)


def _says(text: str, meant: Mapping[str, Any]) -> bool:
    try:
        return bool(yaml.safe_load(text) == meant)
    except yaml.YAMLError:
        return False
