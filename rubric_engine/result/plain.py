"""A report as plain JSON values, as `report.json` holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_engine.grading import Score, grade_dict
from rubric_engine.metrics import metric_dicts
from rubric_engine.score_words import ScoreWords, score_words

if TYPE_CHECKING:
    from rubric_engine.result.report import Report


def report_dict(report: Report) -> dict[str, Any]:
    """All that follows from a report; see `Report.to_dict`."""
    return {
        "report": 1,
        "score": score_dict(report.score),
        "missing": report.missing,
        "disqualified": report.disqualified,
        "stopped": report.stopped._asdict() if report.stopped else None,
        "leaves": dict(report.statuses),
        "reasons": dict(report.reasons),
        "categories": category_rows(report),
        "metrics": metric_dicts(report.metrics),
        "warnings": [warning._asdict() for warning in report.warnings],
        "noted": [warning._asdict() for warning in report.noted],
        "injections": report.injections.model_dump(mode="json"),
        "canaries": report.canaries.to_dict() if report.canaries is not None else None,
        "monitor": report.monitor.model_dump(mode="json") if report.monitor else None,
        "cost": dict(report.cost),
        "provenance": dict(report.provenance),
        "criteria": [_criterion_row(report, key) for key in report.rubric],
        "scores": {key: score.model_dump() for key, score in report.scores.items()},
        "grades": {key: grade_dict(grade) for key, grade in report.grades.items()},
    }


def category_rows(report: Report) -> list[dict[str, Any]]:
    """A row for each category; points are of 100."""
    return [
        {
            "category": name,
            "score": score_dict(row.score),
            "points": row.points,
            "lost": row.lost,
            "open": row.open,
            "leaves": row.leaves,
            "graded": row.graded,
        }
        for name, row in report.categories.items()
    ]


def _criterion_row(report: Report, key: str) -> dict[str, Any]:
    """A criterion and where its points went; None where they belong to a group above it."""
    criterion, loss = report.rubric[key], report.losses.get(key)
    return {
        "key": key,
        "parent": report.rubric.parent(key),
        "requirements": criterion.requirements,
        "category": criterion.task_category,
        "worth": 100 * report.rubric.worth(key),
        "lost": loss.lost if loss else None,
        "open": loss.open if loss else None,
        "verdict": report.verdict(key) if report.rubric.is_leaf(key) else None,
    }


def score_dict(score: Score) -> dict[str, Any]:
    """A score as plain JSON values; its standard deviation only where there is one."""
    return score.model_dump(exclude=None if score.sd is not None else {"sd"})


def words_of(report: Report, disqualified: str | None) -> ScoreWords:
    """What is said of a report's score.

    Args:
        report: The report.
        disqualified: Why it is disqualified, as it is shown; None where it is not.
    """
    return score_words(
        score_dict(report.score) | report.bounds.model_dump(include={"low", "high", "coverage"}),
        missing=report.missing,
        whole=report.is_whole,
        disqualified=disqualified,
        earned=score_dict(report.scores[report.rubric.root]),
    )
