"""Commands that a page shows for a reader to copy; names in them are quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any


def show_leaf(run: str, leaf: str, *options: str) -> str:
    """The command that prints a leaf.

    Args:
        run: Name of the run's folder.
        leaf: The leaf's key, which may look like an option.
        *options: What else the command takes.
    """
    end = ["--"] if leaf.startswith("-") else []
    return shlex.join(["rubric-engine", "show", *options, *end, run, leaf])


def going_on(stopped: Mapping[str, Any] | None, run: str) -> list[str]:
    """The commands that go on with a run; none where it was not stopped.

    Args:
        stopped: What stopped it, as `report.json` has it.
        run: Name of the run's folder.
    """
    fixes = stopped["fix"] if stopped is not None else ()
    return [fix.replace("resume RUN", f"resume {shlex.quote(run)}") for fix in fixes]
