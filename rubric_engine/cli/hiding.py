"""`--redact`, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

Redact = Annotated[
    list[str] | None,
    typer.Option(metavar="REGEX", help="Hide what matches, in all texts; may be repeated."),
]


def tell_hidden(hidden: Mapping[str, int], redact: list[str] | None, where: str) -> None:
    """Say how many places were hidden, and where `--redact` names nothing.

    Args:
        hidden: How many, by why.
        redact: What `--redact` named.
        where: What was searched.
    """
    from rubric_engine.cli.output import counted, note

    secrets, redacted = hidden["secrets"], hidden["redacted"]
    parts = [
        counted(secrets, "secret") if secrets else "",
        f"{counted(redacted, 'place')} that --redact names" if redacted else "",
    ]
    if any(parts):
        note(f"hidden  {', '.join(filter(None, parts))}")
    if redact and not redacted:
        note(f"hidden  nothing that --redact names: it stands nowhere in {where}")
