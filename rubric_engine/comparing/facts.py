"""What a run's provenance says; of a run that somebody handed in, it may hold anything. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubric_engine.result import Report


def fact(report: Report, *names: str) -> str | None:
    """A fact of a run, as text.

    Args:
        report: The run.
        names: Where it stands, such as ``"judge", "name"``.

    Returns:
        The text; None where there is no such fact.
    """
    value: Any = report.provenance
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return None if value is None else str(value)
