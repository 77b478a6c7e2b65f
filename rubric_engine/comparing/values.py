"""A comparison as plain JSON values, for programs and for the page. Pure.

`kinds`, `changes` and `test` hold the very numbers of the `Comparison`. A change names its
criterion on either side, what happened, the points of 100 that it did and by which causes, and for
a leaf both verdicts, scores and reasons; a side that has no such criterion is null.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rubric_engine.comparing.comparison import Change, Comparison
from rubric_engine.comparing.facts import fact
from rubric_engine.comparing.wording import (
    KIND_WORDS,
    said_of_flips,
    said_of_holes,
    said_of_test,
    what_happened,
)
from rubric_engine.result import Report, score_dict, words_of
from rubric_engine.score_words import POLICY
from rubric_engine.submission_names import called_in

_DIGITS = 2
"""Decimals of points in sentences: as many as the page has of all others."""


def comparison_values(found: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values.

    Args:
        found: The comparison.

    Returns:
        ``{"a", "b", "gap", "policy", "said", "words", "kinds", "leaves", "changes", "metrics",
        "test",
        "same_judge", "flip_rates", "unlike"}``. Points are of 100 and B less A. What is undefined
        is null.
    """
    return {
        "a": _head("A", found.first),
        "b": _head("B", found.second),
        "gap": asdict(found.gap),
        "policy": POLICY[found.first.missing],
        "said": [
            said_of_test(found, _DIGITS),
            *(said_of_flips(found, rate, _DIGITS) for rate in found.flip_rates),
        ],
        "words": dict(KIND_WORDS),
        "kinds": [asdict(row) for row in found.kinds],
        "leaves": len(found.leaves),
        "changes": [_change(found, one) for one in found.changes],
        "metrics": [asdict(one) for one in found.metrics],
        "test": asdict(found.test) | {"shown": found.test.shown, "flips": found.test.flips},
        "same_judge": found.same_judge,
        "flip_rates": [asdict(rate) for rate in found.flip_rates],
        "unlike": [asdict(fact) for fact in found.unlike],
    }


def score_said(report: Report, disqualified: str | None) -> dict[str, Any]:
    """What is said of a run's score, as a headline and lines.

    Args:
        report: The run.
        disqualified: Why it is disqualified, as it is shown; None where it is not.
    """
    words = words_of(report, disqualified)
    return {"headline": words.headline, "lines": list(words.lines)}


def _head(name: str, report: Report) -> dict[str, Any]:
    return {
        "id": report.run.rstrip("/").rpartition("/")[2] if report.run is not None else None,
        "task": fact(report, "task"),
        "title": report.rubric.title,
        "submission": called_in(report.provenance) or None,
        "said": score_said(report, report.disqualified),
        "score": score_dict(report.score),
        "bounds": score_dict(report.bounds),
        "missing": report.missing,
        "disqualified": report.disqualified,
        "stopped": report.stopped._asdict() if report.stopped else None,
        "failed": report.failed,
        "holes": said_of_holes(name, report),
        "judge": {name: fact(report, "judge", name) for name in ("name", "fingerprint")},
        "mode": fact(report, "mode"),
        "hashes": {
            "rubric": report.rubric.sha256,
            "submission": fact(report, "submission_sha256"),
            "paper": fact(report, "paper_sha256"),
        },
        "cost": dict(report.cost),
    }


def _change(found: Comparison, change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "what": what_happened(found, change),
        "points": change.points,
        "by_kind": dict(change.by_kind),
        "a": _side(found.first, change.a),
        "b": _side(found.second, change.b),
    }


def _side(report: Report, key: str | None) -> dict[str, Any] | None:
    """A criterion as one run knows it."""
    if key is None:
        return None
    rubric, score = report.rubric, report.scores[key]
    value = {
        "key": key,
        "path": [rubric[above].requirements for above in rubric.path(key)[:-1]],
        "requirements": rubric[key].requirements,
        "category": rubric[key].task_category,
        "weight": rubric[key].weight,
        "worth": 100 * rubric.worth(key),
        "score": score_dict(score),
    }
    if not rubric.is_leaf(key):
        return value | {"verdict": None, "reason": None, "explanation": None}
    grade = report.grades.get(key)
    return value | {
        "verdict": report.verdict(key),
        "reason": grade.reason if grade else "not_run",
        "explanation": grade.explanation if grade else "",
    }
