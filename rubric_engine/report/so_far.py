"""A run that did not finish, as far as it came: its grades, and what it has paid."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from rubric_engine.connection import paid_so_far
from rubric_engine.errors import RubricEngineError, RunError, StorageError
from rubric_engine.grading import Score
from rubric_engine.kept import read_inputs
from rubric_engine.result import Report
from rubric_engine.runs import KeptRun, load_report


def report_so_far(run: KeptRun) -> Report:
    """The report of a run; of one that did not finish, with what it has paid.

    Raises:
        RunError: It is no run, or damaged.
    """
    report = load_report(run.path)
    return report if report.cost else replace(report, cost=paid(run))


def score_so_far(run: KeptRun) -> Score | None:
    """The score of a run, which one that did not finish has in its grades; None where it cannot."""
    if run.score is not None or not run.is_resumable:
        return run.score
    with suppress(RubricEngineError):
        return load_report(run.path).bounds
    return None


def paid(run: KeptRun) -> Mapping[str, float]:
    """What a run of ours has paid, as the ledger has it; empty where that cannot be told."""
    if not run.is_resumable:
        return {}
    with suppress(RunError, StorageError):
        caps = read_inputs(run.path).caps
        cost = paid_so_far(run.path, max_cost=caps.max_cost, max_tokens=caps.max_tokens)
        return cost if cost.get("attempts") else {}
    return {}
