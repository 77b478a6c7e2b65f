"""What is known of an answer before it is graded: what is missing, and what tells it apart."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Literal

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question
from rubric_engine.benchmarks.expbench.grading.parts import CATEGORY_OF, JUDGED, PARTS, Part
from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    Mark,
    MonitorMark,
)
from rubric_engine.case import Task
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED


def missing_of(answer: ExpAnswer, task: Task) -> dict[Part, str]:
    """The parts that a judge cannot grade, and why."""
    known = {task.rubric[key].task_category for key in task.rubric.leaves()}
    found = {
        part: f"the question asks for no {PARTS[part]}"
        for part in JUDGED
        if CATEGORY_OF[part] not in known
    }
    return found | {p: why for p, why in answer.missing.items() if p in JUDGED}


def start_of(question: Question, answer: ExpAnswer, how: Grading) -> AnswerOutcome:
    """What is known of an answer before it is graded."""
    missing = missing_of(answer, question.task)
    exp = question.exp
    why = answer.missing.get("M" if not answer.is_empty else "D", "")
    return AnswerOutcome(
        task=exp.id,
        paper=f"{exp.conference}/{exp.paper_id}",
        kind=exp.kind,
        answer=_state(answer),
        missing=missing,
        execution=Mark(why=answer.missing.get("I", "not run")),
        monitor=MonitorMark(why=why or "not looked at"),
        digest=_digest(question, answer, how),
        finished=answer.is_empty,
    )


def is_graded_again(before: AnswerOutcome, start: AnswerOutcome, *, retry_failed: bool) -> bool:
    """Whether a grading that goes on has something of an answer to grade.

    Args:
        before: What is kept of it.
        start: What is known of it now.
        retry_failed: Whether what failed is asked again.
    """
    if before.digest != start.digest or not before.finished:
        return True
    reasons = {leaf.reason for leaf in before.leaves if leaf.reason is not None}
    return bool(reasons - NOBODY_TRIED if retry_failed else reasons & MISSING_WORK)


def _state(answer: ExpAnswer) -> Literal["whole", "part", "none"]:
    if answer.is_empty:
        return "none"
    return "part" if any(part in answer.missing for part in JUDGED) else "whole"


def _digest(question: Question, answer: ExpAnswer, how: Grading) -> str:
    task = question.task
    base = _base(question.base) if question.base is not None else None
    run = [how.sandbox.name, how.spec_of(task).model_dump(mode="json")] if how.sandbox else None
    facts = [answer.digest, task.rubric.sha256, task.paper_sha256, base, run]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _base(folder: Path) -> str:
    """What tells a base: the commit that `mask` made of its files, and else its place."""
    try:
        return (folder / ".git/refs/heads/main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return str(folder.resolve())
