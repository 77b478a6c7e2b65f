"""Replacing a file in one step."""

from __future__ import annotations

import os
from pathlib import Path

from rubric_engine.rundir import storing


def replace_text(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, whole.

    Args:
        path: The file; its folder exists.
        text: What it is to hold, in UTF-8, ends of lines as they are.

    Raises:
        StorageError: It cannot be written; the old file stays as it was.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with storing(path):
        try:
            with aside.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # else a power cut may leave the new name without content
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
