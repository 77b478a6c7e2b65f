"""The flags of commands that keep results: where, and how they are told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

PANEL = "Output"


def _option(help: str, *names: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=PANEL)


Runs = Annotated[Path, _option("Folder for runs and the ledger of paid calls.", "--runs")]
Quiet = Annotated[bool, _option("Print one line.", "--quiet", "-q")]
AsJson = Annotated[bool, _option("Print one JSON document.", "--json")]
