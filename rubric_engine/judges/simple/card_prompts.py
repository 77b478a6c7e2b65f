"""The prompts of a card: files beside it, read and compiled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rubric_engine.errors import JudgeCardError
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.model import text_hash


class CardPrompts:
    """The prompt templates of a card.

    Args:
        files: Where each stands, by name.
        like: The shipped card that has them all.

    Attributes:
        texts: The templates by name, as they stand there.
        templates: The same, ready to be rendered.

    Raises:
        JudgeCardError: One cannot be read, or is no template.
    """

    def __init__(self, files: Mapping[str, Path], *, like: str) -> None:
        self.texts = {name: _read(name, path, like) for name, path in files.items()}
        self.templates = Templates(self.texts, files)

    def hashes(self, version: int) -> dict[str, str]:
        """What of the prompts goes into a fingerprint; the version is of what is passed to them."""
        hashes = {name: text_hash(text) for name, text in self.texts.items()}
        return hashes | {"format": str(version)}


def _read(name: str, path: Path, like: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise JudgeCardError(
            f"prompt {name!r} cannot be read: {path}: {error}",
            fix=[f"copy the folder of the shipped card `{like}`, which holds all prompts"],
        ) from None
