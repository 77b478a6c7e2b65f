"""Where the folders that people edit live: in the wheel under `content/`, else the repository."""

from __future__ import annotations

from pathlib import Path


def content_folder(name: str) -> Path:
    """Return the shipped folder `name`: rubrics, judges, judgeeval or sandbox."""
    package = Path(__file__).parent
    shipped = package / "content"
    return (shipped if shipped.is_dir() else package.parent) / name
