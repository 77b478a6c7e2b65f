"""The flags of commands that keep results: where, and how they are told."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from rubric_engine.cli.options import option

PANEL = "Output"
_option = partial(option, PANEL)

Runs = Annotated[Path, _option("Folder for runs and the ledger of paid calls.", "--runs")]
Quiet = Annotated[bool, _option("Print one line.", "--quiet", "-q")]
AsJson = Annotated[bool, _option("Print one JSON document.", "--json")]
