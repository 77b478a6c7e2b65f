"""How `judges check` tries a judge: on scripted answers, and on a few real ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.failure import EXIT_GATE

if TYPE_CHECKING:
    from rubric_engine.candidate import Candidate
    from rubric_engine.case import Case
    from rubric_engine.result import Report
    from rubric_engine.testing.judge_conformance import Kept

LIVE_LEAVES = ("momentum", "steps", "halved")
"""Leaves of the small case that no check settles: of code, on a scale, of a result."""


def promises(judge: str, model: Mapping[str, Any], *, silent: bool) -> list[Kept]:
    """How a judge does by each promise; said line by line unless silent."""
    from rubric_engine.cli.output import printable, say
    from rubric_engine.testing.judge_bench import scripted_context
    from rubric_engine.testing.judge_conformance import try_judge

    kept = try_judge(judge, context=replace(scripted_context(), model=model))
    if not silent:
        for each in kept:
            say(printable(_told(each)))
        broken = sum(each.broken is not None for each in kept)
        say(f"{len(kept) - broken} of {len(kept)} promises kept; no real model was asked")
    return kept


def _told(kept: Kept) -> str:
    from rubric_engine.testing.judge_conformance import UNTRIED

    if kept.broken is None:
        return f"ok    {kept.says}"
    return f"{'-' if kept.broken == UNTRIED else 'fail':6}{kept.says}: {kept.broken}"


def leave_stuck(kept: Sequence[Kept], code: int) -> None:
    """End the program where a judge never came back, for its threads would keep it for ever."""
    from rubric_engine.testing.judge_conformance import UNTRIED

    if any(each.broken == UNTRIED for each in kept):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def code_of(kept: Sequence[Kept]) -> int:
    """The exit code: 1 where a promise is broken."""
    return EXIT_GATE if any(each.broken for each in kept) else 0


def ask_live(
    judge: str,
    model: Mapping[str, Any],
    *,
    above: float | None,
    max_cost: float | None,
    silent: bool,
) -> tuple[int, dict[str, Any]]:
    """Let a judge grade a few leaves with its real model.

    Args:
        judge: Name or path of its card.
        model: What flags say of its model.
        above: Dollars from which on a person's word is needed; None where it was given.
        max_cost: Most dollars that it may cost, or None.
        silent: Say nothing but a question.

    Returns:
        The exit code, and what was found as plain JSON values.

    Raises:
        UsageError: It asks no model, or nobody agreed to its cost.
        CredentialsError: There is no key for its model.
    """
    from rubric_engine.cli.outcome import exit_code
    from rubric_engine.testing.judge_cases import judge_cases

    candidate = _askable(judge, model)
    with judge_cases() as cases:
        case = replace(cases.ran, task=replace(cases.ran.task, only=LIVE_LEAVES))
        report, run = _graded(judge, model, case, candidate, above, max_cost, silent=silent)
    if not silent:
        _say(report, run)
    return exit_code(report), {"run": str(run), "live": _plain(report)}


def _askable(judge: str, model: Mapping[str, Any]) -> Candidate:
    """The judge, where it asks a model and there is a key for each."""
    from rubric_engine.candidate import load_candidate
    from rubric_engine.errors import UsageError
    from rubric_engine.models.credentials import find_key

    candidate = load_candidate(judge, model=model)
    if not candidate.models:
        raise UsageError(f"judge {judge!r} asks no model, so there is nothing to ask live")
    for config in candidate.models:
        find_key(config)
    return candidate


def _graded(
    judge: str,
    model: Mapping[str, Any],
    case: Case,
    candidate: Candidate,
    above: float | None,
    max_cost: float | None,
    *,
    silent: bool,
) -> tuple[Report, Path]:
    """Ask about each leaf anew: an answer on record would tell nothing of the endpoint."""
    from rubric_engine import engine
    from rubric_engine.cli.consent import ask
    from rubric_engine.cli.failure import interrupting
    from rubric_engine.cli.locate import runs_folder
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import foresee
    from rubric_engine.rundir import new_run_name

    folder, spending = runs_folder(None), Spending(max_cost=max_cost, fresh=True)
    foresight = foresee(candidate, case, runs=folder, spending=spending)
    ask(foresight, above=above, silent=silent)
    run = folder / new_run_name("check")
    with interrupting(run):
        report = engine.grade(
            case.task,
            case.submission,
            judge=judge,
            model=model,
            execution=case.execution,
            spending=spending,
            run_dir=run,
        )
    return report, run


def _say(report: Report, run: Path) -> None:
    from rubric_engine.cli.output import note, printable, say

    for key, grade in report.grades.items():
        said = grade.status if grade.score is None else f"score {grade.score:g}"
        why = grade.reason or ""
        say(printable(f"{key:12} {said} {why}".rstrip() + f"   {grade.explanation}", 300))
    for warning in report.warnings:
        note(printable(f"warning: {warning.code} {warning.message}"))
    if report.stopped is not None:
        note(printable(f"stopped: {report.stopped}"))
    say(printable(f"kept in {run}; rubric-engine show {run} KEY --prompt shows what was asked"))


def _plain(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "status": grade.status,
            "score": grade.score,
            "reason": grade.reason,
            "explanation": grade.explanation,
        }
        for key, grade in report.grades.items()
    ]
