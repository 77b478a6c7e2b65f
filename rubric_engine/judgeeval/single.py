"""Judging one labelled case, and setting every grade beside its label."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.engine import agrade
from rubric_engine.errors import (
    EXIT_INCOMPLETE,
    BudgetError,
    RubricEngineError,
    SandboxError,
    SubmissionError,
)
from rubric_engine.isolation import Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judgeeval.case_result import CanaryCount, CaseResult
from rubric_engine.judgeeval.cases import HandedIn, LabelledCase
from rubric_engine.judgeeval.judged import Judged, judged
from rubric_engine.judgeeval.watching import Watcher
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.model import ChatModel
from rubric_engine.past import read_past
from rubric_engine.report.leaf_costs import prices_of
from rubric_engine.result import Report, Stop
from rubric_engine.resuming import aresume


@dataclass(frozen=True)
class Judging:
    """How cases are judged.

    Attributes:
        judge: The judge, or what `grade` takes for one.
        model: Its model, in place of its card's.
        sandbox: Where submissions run that were not run elsewhere; None runs nothing.
        runs: Folder of the runs, or None to keep none.
        spending: What a case may spend.
    """

    judge: str | JudgeCard | Judge = ""
    model: str | Mapping[str, Any] | ChatModel | DecisionModel | None = None
    sandbox: str | Sandbox | None = None
    runs: Path | None = None
    spending: Spending = NO_LIMIT


def failed(before: Judged, error: RubricEngineError) -> Judged:
    """A case whose submission or sandbox failed: its leaves have no grade, and it says why."""
    said = {
        "finished": True,
        "trouble": f"{error.code} {error.message}",
        "exit_code": error.exit_code,
    }
    return replace(before, result=before.result.model_copy(update=said))


async def judge_one(
    case: LabelledCase, before: Judged, handed_in: HandedIn, how: Judging, watcher: Watcher
) -> Judged:
    """Judge a case, or go on where judging it was stopped.

    Args:
        case: The case.
        before: The case as it stands; its leaves are those that are asked about.
        handed_in: Its submission, and the run of it that was made elsewhere.
        how: How.
        watcher: Is told of every grade.

    Returns:
        The case as it stands now. Where its submission or the sandbox failed, its leaves have no
        grade, and the result says why.

    Raises:
        RubricEngineError: What would fail for every other case as well.
    """
    keys = before.asked
    try:
        report = await _report(case, keys, handed_in, before.result.run, how, watcher)
    except (SubmissionError, SandboxError) as error:
        return failed(before, error)
    prices = prices_of(report, how.runs)
    found = judged(case, keys, report.grades, prices)
    stop = report.stopped
    execution = (report.provenance.get("execution") or {}).get("status")
    facts = {
        "submission_sha256": before.result.submission_sha256,
        "execution": execution,
        **_spent(report, before.result),
        "canaries": _canaries(report),
        "run": before.result.run,
        "finished": stop is None,
        "trouble": _trouble(stop),
        "exit_code": _exit_code(report, str(execution)),
    }
    return replace(found, result=found.result.model_copy(update=facts))


async def _report(
    case: LabelledCase,
    keys: frozenset[str],
    handed_in: HandedIn,
    run: str | None,
    how: Judging,
    watcher: Watcher,
) -> Report:
    folder = how.runs / run if how.runs is not None and run is not None else None
    spending = replace(how.spending, watch=watcher.connected)
    if folder is not None and is_file(folder / LIST):
        own = how.judge if isinstance(how.judge, Judge) else None
        model = how.model if isinstance(how.model, ChatModel | DecisionModel) else None
        past = await asyncio.to_thread(read_past, folder)
        watcher.standing(past.standing(retry_failed=spending.retry_failed))
        return await aresume(
            past,
            spending=spending,
            retry_failed=spending.retry_failed,
            on_grade=watcher.grade,
            model=model,
            judge=own,
        )
    leaves = case.task.rubric.leaves()
    only = None if keys.issuperset(leaves) else tuple(key for key in leaves if key in keys)
    submission, execution = handed_in
    return await agrade(
        replace(case.task, only=only, case=case.name),
        submission,
        judge=how.judge,
        model=how.model,
        sandbox=None if execution is not None or case.absence else how.sandbox,
        execution=execution,
        run_dir=folder,
        on_grade=watcher.grade,
        spending=spending,
    )


def _trouble(stop: Stop | None) -> str | None:
    if stop is None:
        return None
    share = " (of the cap that other cases left)" if stop.exit_code == BudgetError.exit_code else ""
    return f"{stop.code} {stop.message}{share}"


def _exit_code(report: Report, execution: str) -> int:
    if report.stopped is not None:
        return report.stopped.exit_code
    if execution.startswith("infra"):
        return SandboxError.exit_code
    return EXIT_INCOMPLETE if report.failed else 0


def _canaries(report: Report) -> CanaryCount | None:
    tried = report.canaries
    if tried is None or not tried.asked:
        return None
    open_ = Counter(leaf.grade.reason for leaf in tried.leaves if leaf.grade.reason)
    return CanaryCount(asked=tried.asked, met=tried.met, open=dict(sorted(open_.items())))


def _spent(report: Report, before: CaseResult) -> dict[str, float | int | None]:
    """What the case has cost over all its runs."""
    cost = report.cost
    dollars = cost.get("usd") if cost.get("attempts") else 0.0
    known = dollars is not None and not cost.get("unpriced_attempts")
    tokens = cost.get("input_tokens", 0) + cost.get("output_tokens", 0)
    return {
        "paid": before.paid_before + dollars if known and dollars is not None else None,
        "tokens": before.tokens_before + int(tokens),
        "paid_before": before.paid_before,
        "tokens_before": before.tokens_before,
    }
