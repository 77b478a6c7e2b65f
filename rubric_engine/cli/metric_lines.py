"""The metrics of a run for a person: which are true, false and undefined, and why the last are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.cli.output import printable
from rubric_engine.figures import metric_word

if TYPE_CHECKING:
    from rubric_engine.metrics import MetricChange, MetricValue
    from rubric_engine.result import Report

_MOST_NAME = 40


def metric_lines(report: Report) -> Iterator[str]:
    """A line for those that are true, one for those that are false, and one a reason for others."""
    head = "metrics"
    for word, names in _grouped(report):
        yield f"{head:8}{word:11}{names}"
        head = ""


def change_lines(changes: tuple[MetricChange, ...]) -> Iterator[str]:
    """Metrics that are not the same in two runs."""
    for one in changes:
        yield f"metric  {printable(one.name, _MOST_NAME)}: {_word(one.a)} -> {_word(one.b)}"


def _grouped(report: Report) -> Iterator[tuple[str, str]]:
    groups: dict[tuple[bool | None, str], list[str]] = {}
    for name, found in report.metrics.items():
        why = found.why if found.value is None else ""
        groups.setdefault((found.value, why), []).append(printable(name, _MOST_NAME))
    for value in (True, False, None):
        for (own, why), names in groups.items():
            if own is value:
                said = ", ".join(names)
                yield metric_word(value), f"{said} ({printable(why)})" if why else said


def _word(found: MetricValue | None) -> str:
    return "none" if found is None else metric_word(found.value)
