"""The criteria of a run as columns, in document order: what tree and lists of a page show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubric_engine.report.flags import SURE, Doubts, cited
from rubric_engine.report.reading import RunMaterial
from rubric_engine.result import Report

Column = list[Any]


def node_columns(material: RunMaterial, rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """The columns, each with an entry for every criterion.

    Args:
        material: The run.
        rows: `criteria` of its report.
    """
    report = material.report
    place = {row["key"]: at for at, row in enumerate(rows)}
    scores = [report.scores[row["key"]] for row in rows]
    doubts = doubts_of(material)
    leaves = [_leaf(material, doubts, row["key"], row["verdict"]) for row in rows]
    return {
        "key": [row["key"] for row in rows],
        "parent": [place.get(row["parent"], -1) for row in rows],
        "requirements": [row["requirements"] for row in rows],
        "category": [row["category"] for row in rows],
        "weight": [report.rubric[row["key"]].weight for row in rows],
        **{name: [row[name] for row in rows] for name in ("worth", "lost", "open")},
        **{name: [getattr(score, name) for score in scores] for name in ("value", "low", "high")},
        **{name: [leaf[name] for leaf in leaves] for name in leaves[0]},
    }


def doubts_of(material: RunMaterial) -> Doubts:
    """What tells the flags of the leaves of a run."""
    report = material.report
    return Doubts(
        receipts=material.receipts,
        unsure=unsure_band(report),
        canary_hit=report.canaries is not None and report.canaries.met > 0,
        suspects=frozenset(finding.path for finding in report.injections.findings),
    )


def unsure_band(report: Report) -> tuple[float, float] | None:
    """Probabilities between which a verdict is unsure: the judge's own, else `flags.SURE`.

    None where no grade has a probability.
    """
    card = report.provenance.get("judge", {}).get("card")
    band = card.get("unsure") if isinstance(card, Mapping) else None
    if isinstance(band, list | tuple) and len(band) == 2:
        return float(band[0]), float(band[1])
    said = (grade.probability for grade in report.grades.values())
    return SURE if any(probability is not None for probability in said) else None


def _leaf(material: RunMaterial, doubts: Doubts, key: str, verdict: str | None) -> dict[str, Any]:
    """What only leaves have; of a group all of it is empty."""
    label = material.label(key) if verdict is not None else None
    is_graded = verdict is not None and key not in material.pending
    grade = material.report.grades.get(key) if is_graded else None
    return {
        "verdict": verdict,
        "reason": grade.reason if grade else None,
        "probability": grade.probability if grade else None,
        "human": label.verdict if label else None,
        "flags": doubts.flags(grade, label) if verdict is not None else 0,
        "files": list(dict.fromkeys(place.path for place in cited(grade))) if grade else [],
    }
