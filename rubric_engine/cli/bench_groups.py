"""Figures of a run over a set by phase, domain, difficulty or autonomy level, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.tasksets.summary import summarise_by
from rubric_engine.cli.bench_tables import range_of, shown
from rubric_engine.cli.output import fill, printable, table

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.benchmarks.tasksets.results import Results
    from rubric_engine.benchmarks.tasksets.summary import Summary

_NAME = 18


def by_tables(results: Results, key: str) -> Iterator[str | Table]:
    """The figures of each phase, domain, difficulty or autonomy level."""
    found = summarise_by(results, key)
    yield ""
    yield fill(
        table(f"<{key}", "tasks", "answers", "success", "malformed", "failed", "missing"),
        (_answer_row(one) for one in found),
    )
    yield ""
    scores = ("mean\nscore", "n", "if unknown\nare 0 or 1")
    spread = ("variance\nof tasks", "n", "variance\nof samples", "n")
    yield fill(table(f"<{key}", *scores, *spread), (_score_row(one) for one in found))
    yield ""
    others = ("spread of\njudging", "n", "unfounded\nclaims", "n", "human\nhelp", "n")
    yield fill(table(f"<{key}", *others), (_other_row(one) for one in found))
    yield ""
    times = ("seconds,\nmean", "95th per-\ncentile", "n")
    yield fill(table(f"<{key}", *times), (_seconds_row(one) for one in found))


def _answer_row(one: Summary) -> list[str]:
    rates = (shown(each, "share") for each in (one.success, one.malformed, one.failed))
    return [_name(one), str(one.tasks), str(one.asked), *rates, str(one.missing)]


def _score_row(one: Summary) -> list[str]:
    score = [shown(one.score, "share"), str(one.score.n), range_of(one.score_range)]
    spread = (one.between_tasks, one.within_tasks)
    return [_name(one), *score, *(cell for f in spread for cell in (shown(f, "number"), str(f.n)))]


def _other_row(one: Summary) -> list[str]:
    parts = ((one.judge_sd, "number"), (one.hallucination, "share"), (one.interventions, "number"))
    return [_name(one), *(cell for f, kind in parts for cell in (shown(f, kind), str(f.n)))]


def _seconds_row(one: Summary) -> list[str]:
    times = [shown(each, "seconds") for each in (one.seconds, one.seconds_95)]
    return [_name(one), *times, str(one.seconds.n)]


def _name(one: Summary) -> str:
    return printable(one.name, _NAME)
