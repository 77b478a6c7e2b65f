"""Judging one labelled case, and setting every grade beside its label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.engine import agrade
from rubric_engine.errors import RubricEngineError, SandboxError, SubmissionError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judgeeval.cases import HandedIn, LabelledCase
from rubric_engine.judgeeval.evaluation import CanaryCount, CaseResult, CaseRoot, LeafResult
from rubric_engine.judgeeval.leaf_costs import prices_of
from rubric_engine.judgeeval.root import root_of
from rubric_engine.judgeeval.watching import Watcher
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.losses import is_mean
from rubric_engine.model import ChatModel
from rubric_engine.result import Report
from rubric_engine.resuming import aresume

EXIT_INCOMPLETE = 5


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


@dataclass(frozen=True)
class Judged:
    """What judging a case gave.

    Attributes:
        result: How it went.
        leaves: Its leaves; the labelled ones were asked about. Of a sample, these alone.
    """

    result: CaseResult
    leaves: tuple[LeafResult, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the leaves, in order."""
        return tuple(leaf.key for leaf in self.leaves)

    @property
    def asked(self) -> frozenset[str]:
        """Keys of the leaves that are asked about."""
        return frozenset(leaf.key for leaf in self.leaves if leaf.label is not None)


def unjudged(case: LabelledCase, keys: frozenset[str]) -> Judged:
    """A case before it is judged: every leaf is there, and none has a grade."""
    return _judged(case, keys, {}, {})


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
    found = _judged(case, keys, report.grades, prices)
    stop = report.stopped
    execution = (report.provenance.get("execution") or {}).get("status")
    facts = {
        "submission_sha256": before.result.submission_sha256,
        "execution": execution,
        **_spent(report, before.result),
        "canaries": _canaries(report),
        "run": before.result.run,
        "finished": stop is None,
        "trouble": f"{stop.code} {stop.message}" if stop else None,
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
        return await aresume(
            folder,
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
        replace(case.task, only=only),
        submission,
        judge=how.judge,
        model=how.model,
        sandbox=None if execution is not None or case.absence else how.sandbox,
        execution=execution,
        run_dir=folder,
        on_grade=watcher.grade,
        spending=spending,
    )


def _exit_code(report: Report, execution: str) -> int:
    if report.stopped is not None:
        return report.stopped.exit_code
    if execution.startswith("infra"):
        return SandboxError.exit_code
    return EXIT_INCOMPLETE if report.failed else 0


def _canaries(report: Report) -> CanaryCount | None:
    tried = report.canaries
    if tried is None or tried.asked == tried.failed:
        return None
    return CanaryCount(asked=tried.asked - tried.failed, met=tried.met)


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


def _judged(
    case: LabelledCase,
    keys: frozenset[str],
    grades: Mapping[str, Grade],
    prices: Mapping[str, float | None],
) -> Judged:
    rubric, labelled = case.task.rubric, frozenset(case.labelled)
    sampled = len(keys) < len(labelled)
    leaves = [key for key in rubric.leaves() if key in keys or not (sampled or key in labelled)]
    whole = len(keys) == len(rubric.leaves())
    result = CaseResult(
        name=case.name,
        task=case.task.name,
        source=case.source,
        rubric_sha256=rubric.sha256,
        labels_sha256=case.labels_sha256,
        annotator=case.annotator,
        submission_sha256=None,
        leaves=len(rubric.leaves()),
        labelled=len(labelled),
        asked=len(keys),
        root=_root(case, grades) if whole else None,
        weighted_mean=all(rubric.is_leaf(key) or is_mean(rubric, key) for key in rubric.order),
        inputs_sha256=case.inputs_sha256,
        notes=case.notes,
        finished=False,
    )
    return Judged(result, tuple(_leaf(case, key, grades.get(key), prices) for key in leaves))


def _root(case: LabelledCase, grades: Mapping[str, Grade]) -> CaseRoot | None:
    found = root_of(case.task.rubric, case.labels, grades, submission=case.name)
    if found is None:
        return None
    # Sums of shares may stray from 1 by the last bit.
    cut = {name: min(1.0, getattr(found, name)) for name in CaseRoot.model_fields}
    return CaseRoot(**cut)


def _leaf(
    case: LabelledCase, key: str, grade: Grade | None, prices: Mapping[str, float | None]
) -> LeafResult:
    rubric, said = case.task.rubric, grade or Grade.ungradeable("not_run")
    label = case.labels[key].score if key in case.labels else None
    return LeafResult(
        case=case.name,
        key=key,
        parent=rubric.parent(key) or key,
        category=rubric[key].task_category or "",
        worth=min(1.0, rubric.worth(key)),
        label=label,
        others={name: by[key].score for name, by in case.others.items() if key in by},
        status=said.status,
        score=said.score,
        probability=said.probability,
        reason=said.reason,
        samples=said.samples,
        cost=0.0 if label is None else prices.get(key),  # nobody is asked about it
    )
