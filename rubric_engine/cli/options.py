"""What options of several commands share."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print one line.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def option(panel: str, help: str, *names: str, **more: Any) -> Any:
    """A flag of a panel of the help; names as `typer.Option` takes them."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def finite(value: float | None) -> float | None:
    """Refuse what is no finite number."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value
