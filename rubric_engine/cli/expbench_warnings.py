"""What the commands of EXP-Bench let pass, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import note, printable

if TYPE_CHECKING:
    from rubric_engine.errors import Problem

LISTED = 20
"""How many of a kind are told; `--json` lists all."""


def plain(problem: Problem) -> dict[str, Any]:
    """A warning as a JSON value."""
    place = problem.place
    return {
        "code": problem.code,
        "message": problem.message,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "hint": problem.hint,
    }


def warn(warnings: tuple[Problem, ...]) -> None:
    """Print warnings to stderr."""
    for one in warnings[:LISTED]:
        hint = f"; {printable(one.hint)}" if one.hint else ""
        note(f"warning {one.code}  {printable(f'{one.place}: {one.message}')}{hint}")
    if len(warnings) > LISTED:
        note(f"and {len(warnings) - LISTED} more warnings; --json lists all")


def rows(name: str, texts: Iterable[str]) -> list[str]:
    """Lines that begin with a name, one a text."""
    lines = [printable(text) for text in texts] or ["nothing"]
    if len(lines) > LISTED:
        lines[LISTED:] = [f"and {len(lines) - LISTED} more; --json lists all"]
    return [f"{name if not index else '':11} {line}" for index, line in enumerate(lines)]
