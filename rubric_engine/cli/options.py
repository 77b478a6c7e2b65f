"""What options of several commands share."""

from __future__ import annotations

import math

import typer


def finite(value: float | None) -> float | None:
    """Refuse what is no finite number."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value
