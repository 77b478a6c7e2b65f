"""What options of several commands share."""

from __future__ import annotations

import math
from typing import Annotated

import typer

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print one line.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def finite(value: float | None) -> float | None:
    """Refuse what is no finite number."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value
