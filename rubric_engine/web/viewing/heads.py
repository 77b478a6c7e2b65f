"""What a list says of a run: read from its `run.json`, and counted only where that has no score."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from rubric_engine.errors import RubricEngineError
from rubric_engine.report import Mask
from rubric_engine.report.reading import models_of
from rubric_engine.result import score_dict
from rubric_engine.runs import KeptRun, load_report
from rubric_engine.submission_names import called_in
from rubric_engine.web.viewing.known import Stamp
from rubric_engine.web.viewing.unread import unread


def listed(run: KeptRun, stamp: Stamp, redact: Sequence[str] = ()) -> dict[str, Any] | str:
    """A run as a list shows it, or why it cannot be shown.

    Args:
        run: The run.
        stamp: What changes whenever the run does.
        redact: Patterns of google-re2; what they find is hidden in all texts.

    Returns:
        `task`, `submission`, `status` and `score` as its page says them; `case`, the labelled case
        where JudgeEval made the run, else None; the `judge`'s name and models; `mark`, another
        one whenever its page is.
    """
    facts, judge = run.facts, run.facts.get("judge")
    case = facts.get("case")
    if run.status == "died" and not (run.path / "rubric.json").exists():
        return "it ended before its rubric was kept, so nothing was graded"
    try:
        score = run.score or load_report(run.path).score
    except (RubricEngineError, RecursionError) as error:
        return str(unread(run, error))
    head: dict[str, Any] = Mask(redact).of(
        {
            "task": str(facts.get("task") or ""),
            "submission": called_in(facts),
            "status": run.status,
            "case": str(case) if case is not None else None,
            "judge": {
                "name": judge.get("name") if isinstance(judge, dict) else None,
                "models": list(models_of(run.path, judge)),
            },
            "score": score_dict(score),
        }
    )
    return head | {"mark": mark_of(stamp)}


def mark_of(stamp: Stamp) -> str:
    """A short text that is another one for another stamp."""
    return hashlib.sha256(repr(stamp).encode()).hexdigest()[:16]
