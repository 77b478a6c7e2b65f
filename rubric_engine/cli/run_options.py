"""The flags that say how `reproduce.sh` is run, shared by the commands that run it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from rubric_engine.cli.options import option
from rubric_engine.units import as_bytes, as_seconds

PANEL = "Running reproduce.sh"
_option = partial(option, PANEL)

Network = Literal["none", "install", "open"]


def amount(convert: Callable[[object], object], *, zero: bool = False) -> Callable[[str], float]:
    """A parser of positive amounts, and of none at all where that is one."""

    def parse(text: str) -> float:
        try:
            value = float(str(convert(text)))
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
            raise typer.BadParameter(f"{text!r} is not more than nothing")
        return value

    return parse


Engine = Annotated[
    str | None,
    _option(
        "Docker engine: unix:///PATH, tcp://HOST:PORT or ssh://USER@HOST:PORT; else DOCKER_HOST,"
        " else the local one.",
        metavar="ADDRESS",
    ),
]
Recipe = Annotated[str | None, _option("Recipe of the image: a path, or a name; else cpu.")]
Gpus = Annotated[str | None, _option("How many GPUs, or their ids.", metavar="N|IDS")]
NetworkPolicy = Annotated[
    Network | None, _option("Network of the run; the task's, else none.", "--network")
]
TimeLimit = Annotated[
    float | None,
    _option("Longest run, such as 90, 30m or 12h.", metavar="TIME", parser=amount(as_seconds)),
]
Memory = Annotated[
    float | None,
    _option("Most memory, such as 512m or 8g.", metavar="SIZE", parser=amount(as_bytes)),
]
EnvFile = Annotated[
    Path | None, _option("Variables for the script alone, NAME=VALUE a line.", metavar="FILE")
]
Rerun = Annotated[
    bool, _option("Run it even if the same was run before.", "--rerun", show_default=False)
]
