"""Results that are written by hand."""

from __future__ import annotations

from typing import Any

from rubric_engine.benchmarks.tasksets.results import Results, score_of


def score(low: float, high: float | None = None) -> dict[str, float]:
    """A score, whole or a range."""
    high = low if high is None else high
    return {"value": low, "low": low, "high": high, "coverage": 1 - (high - low)}


def answer(status: str, found: Any = None, seconds: float | None = None, **more: Any) -> Any:
    """An answer and its score."""
    return {"task": "", "status": status, "score": found, "seconds": seconds} | more


def row(name: str, facts: str, *answers: dict[str, Any]) -> dict[str, Any]:
    """A task with its answers; facts are phase, domain, difficulty and autonomy."""
    phase, domain, difficulty, autonomy = facts.split()
    own = [each | {"task": name, "sample": at} for at, each in enumerate(answers)]
    keys = {"phase": phase, "domain": domain, "difficulty": difficulty}
    level = None if autonomy == "-" else autonomy
    return {"task_id": name, "sha256": name, **keys, "autonomy": level, "answers": own}


def results(*rows: dict[str, Any], agent: str = "m1") -> Results:
    """A run that is done, with these tasks."""
    found = Results.model_validate(
        {
            "status": "done",
            "task_set": {"name": "hand", "sha256": "0"},
            "agent": {"name": agent, "kind": "own", "fingerprint": agent},
            "judge": {"name": "rules"},
            "run": "hand",
            "made_at": "2026-01-01T00:00:00+00:00",
            "engine": "0",
            "tasks": rows,
        }
    )
    tasks = [each.model_copy(update={"score": score_of(each.answers)}) for each in found.tasks]
    return found.model_copy(update={"tasks": tuple(tasks)})


def leaf(sd: float) -> dict[str, Any]:
    """A leaf whose judgements differ so much."""
    return {"key": "l", "category": "c", "worth": 1.0, "sd": sd}


def claims(count: int, ungrounded: int) -> dict[str, int]:
    """Claims of an answer."""
    return {"claims": count, "ungrounded": ungrounded}
