"""Correcting a run's score by error rates of the same judge on other submissions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from rubric_engine.judgeeval.audit.error_rates import rates_of
from rubric_engine.judgeeval.audit.rogan_gladen import Transported, transported
from rubric_engine.judgeeval.auditing import AuditedRun
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.pairs import Pair, Pairs
from rubric_engine.judgeeval.rows import lacking


def corrected_elsewhere(run: AuditedRun, evaluations: Sequence[Evaluation]) -> Transported:
    """The score by rates that evaluations of labelled cases give, or why not.

    Args:
        run: The run.
        evaluations: What its judge said of other submissions with labels, at least one. A sample
            will do: it is drawn in equal parts from each category.

    Raises:
        UsageError: A case stands in several of the evaluations.
    """
    thresholds = sorted({one.threshold for one in evaluations})
    target = _target(run, thresholds[0])
    refused = (
        *_against(run),
        *(why for one in evaluations for why in _strangers(run, one)),
        *(why for one in evaluations for why in _holes(one)),
        *_uneven(thresholds),
    )
    if refused:
        judged = math.fsum(np.nan_to_num(target.worth * target.grade))
        return Transported(judged, None, None, None, None, None, refused)
    rows = (row for one in evaluations for row in one.pairs.rows)
    known = Pairs.of(rows, threshold=thresholds[0])
    return transported(target, rates_of(known), transport=True)


def _target(run: AuditedRun, threshold: float) -> Pairs:
    rubric, grades = run.report.rubric, run.report.grades
    rows = (
        Pair(
            key=leaf,
            submission=run.name,
            parent=rubric.parent(leaf) or leaf,
            category=rubric[leaf].task_category or "",
            worth=run.frame.worth.get(leaf, 0.0),
            label=None,
            grade=grades[leaf].score if leaf in grades else None,
        )
        for leaf in rubric.leaves()
    )
    return Pairs.of(rows, threshold=threshold)


def _against(run: AuditedRun) -> Iterator[str]:
    grouped = [part for part, leaves in run.frame.leaves.items() if leaves != (part,)]
    if grouped:
        yield f"the score is no sum over leaves: {grouped[0]!r} is no weighted mean"
    grades = run.report.grades
    count = sum(
        leaf not in grades or grades[leaf].score is None for leaf in run.report.rubric.leaves()
    )
    if count:
        yield f"every leaf needs a grade, and {count} have none"


def _holes(found: Evaluation) -> Iterator[str]:
    missing = lacking(found)
    if missing is not None:
        yield f"{found.name}: not complete, {missing}"


def _uneven(thresholds: Sequence[float]) -> Iterator[str]:
    if len(thresholds) > 1:
        named = ", ".join(f"{each:g}" for each in thresholds)
        yield f"the results count leaves as met from different scores on: {named}"


def _strangers(run: AuditedRun, found: Evaluation) -> Iterator[str]:
    ours = run.report.provenance.get("judge", {}).get("fingerprint")
    if found.judge.fingerprint != ours:
        yield (
            f"{found.name}: rates of judge {found.judge.fingerprint}, and the run's judge is {ours}"
        )
    same = [case.name for case in found.cases if case.submission_sha256 == run.submission]
    if same and run.submission is not None:
        yield f"{found.name}: case {same[0]!r} is this submission itself, not another one"
