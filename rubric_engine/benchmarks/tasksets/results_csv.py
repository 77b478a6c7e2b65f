"""The results of a run as CSV, one line an answer. Pure."""

from __future__ import annotations

import csv
import io
from typing import Any

from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results, TaskResult
from rubric_engine.report.formats.rows import cell

COLUMNS = (
    "task_set", "task_set_version", "task_set_sha256", "agent", "judge",
    "task_id", "task_version", "phase", "domain", "difficulty", "autonomy", "sample",
    "status", "reason", "score", "low", "high", "coverage", "judge_sd", "seconds",
    "interventions", "claims", "ungrounded", "run",
)  # fmt: skip


def csv_text(results: Results) -> str:
    """One line an answer; a cell is empty where nothing is known."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    head = (
        results.task_set.name, results.task_set.version, results.task_set.sha256,
        results.agent.name, results.judge.name,
    )  # fmt: skip
    for task in results.tasks:
        for answer in task.answers:
            writer.writerow([cell(value) for value in (*head, *_row(task, answer))])
    return out.getvalue()


def _row(task: TaskResult, answer: AnswerResult) -> tuple[Any, ...]:
    score, claims = answer.score, answer.claims
    spreads = [leaf.sd for leaf in answer.leaves if leaf.sd is not None]
    return (
        task.task_id, task.version, task.phase, task.domain, task.difficulty, task.autonomy,
        answer.sample, answer.status, answer.reason, answer.whole, *answer.range,
        score.coverage if score is not None else 0.0,
        sum(spreads) / len(spreads) if spreads else None,
        answer.seconds, answer.interventions,
        claims.claims if claims is not None else None,
        claims.ungrounded if claims is not None else None,
        answer.run,
    )  # fmt: skip
