"""Making a model monitor of a card, or of what a run kept of one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from rubric_engine.errors import JudgeCardError, Place, UsageError
from rubric_engine.judge import JudgeCard, JudgeContext
from rubric_engine.judges.registry import CARD, find_card
from rubric_engine.judges.settings import settings_of
from rubric_engine.kept.reading import read_as
from rubric_engine.monitoring.reader import ModelMonitor
from rubric_engine.monitoring.settings import MonitorCard, MonitorPrompts

KIND = "monitor"
KEPT = "monitor"
"""Folder beside a run's judge that holds its monitor."""


def load_monitor(
    name: str, context: JudgeContext, *, untrusted: Path | None = None
) -> ModelMonitor:
    """Make the monitor of a card.

    Args:
        name: Path or name of the card.
        context: What it is made with; `model` takes the place of the card's.
        untrusted: A submission's root; no card that lies in it is found by name.

    Raises:
        JudgeCardError: There is no such card, or it is no monitor.
    """
    card, file = find_card(name, untrusted=untrusted)
    if card.kind != KIND or file is None:
        raise JudgeCardError(
            f"{name!r} is a judge of kind {card.kind!r}, and no monitor",
            code="E585",
            fix=["--judge monitor", "a card of your own with `kind: monitor`: docs/monitor.md"],
        )
    return _made(card, replace(context, folder=file.parent, place=Place(str(file))))


def _made(card: JudgeCard, context: JudgeContext) -> ModelMonitor:
    card = context.effective(card)
    settings = settings_of(card, MonitorCard, context.place)
    if context.connect is None:
        raise UsageError(
            f"monitor {card.name or card.kind!r} asks a model, and none may be asked here",
            looked=["`connect` of the context that it is made with"],
            fix=["rubric-engine monitor SUBMISSION --log FILE --judge monitor   asks one"],
        )
    model = context.connect(settings.model)
    return ModelMonitor(card, settings, context.folder, model, context.nonce)


def monitor_files(monitor: ModelMonitor) -> dict[str, str]:
    """The files that a monitor is made of again: text by path, relative to the judge's folder."""
    names = MonitorPrompts().model_dump()
    card = monitor.card.model_copy(update={"prompts": names})
    files = {names[name]: text for name, text in monitor.prompts.items()}
    files[CARD] = json.dumps(card.model_dump(mode="json", exclude={"prompt_hashes"}), indent=1)
    return {f"{KEPT}/{name}": text for name, text in files.items()}


def kept_monitor(folder: Path, context: JudgeContext) -> ModelMonitor | None:
    """Make a run's monitor again; None where it had none.

    Args:
        folder: Where the run's judge is kept.
        context: What it is made with.

    Raises:
        RunError: What was kept is damaged.
    """
    file = folder / KEPT / CARD
    if not file.is_file():
        return None
    place = Place(str(file))
    return _made(
        read_as(file, JudgeCard), replace(context, folder=file.parent, place=place, model={})
    )
