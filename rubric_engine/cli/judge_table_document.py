"""The table of judges as one JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Calibration, Evaluation, LeafSet
    from rubric_engine.judgeeval.judge_table import Table


def table_document(
    table: Table, found: Mapping[Path, Evaluation], charts: Sequence[Path] = ()
) -> dict[str, Any]:
    """The table as one JSON document.

    Args:
        table: The table.
        found: Its evaluations by folder.
        charts: Charts that were drawn.
    """
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.judgeeval import doubts

    places = {one.name: str(path) for path, one in found.items()}
    sets = [plain(_leaf_set(leaves)) for leaves in table.leaf_sets]
    for row in (row for leaves in sets for row in leaves["rows"]):
        row["result"] = places.get(row["name"]) if row["kind"] == "judge" else None
    return {
        "ok": True,
        "leaf_sets": sets,
        "warnings": [warning._asdict() for warning in doubts(table)],
        "charts": [str(path) for path in charts],
        "exit_code": 0,
    }


def _leaf_set(leaves: LeafSet) -> dict[str, Any]:
    from rubric_engine.cli.more_tables import calibrations

    repeats = [{"judges": names, "consistency": one} for names, one in leaves.repeats.items()]
    named = (
        "rows",
        "groups",
        "labels",
        "unlike",
        "front",
        "made_gold",
        "samples",
        "highest_mean",
        "one_class",
    )
    return {name: getattr(leaves, name) for name in named} | {
        "repeats": repeats,
        "calibration": {name: _short(one) for name, one in calibrations(leaves).items()},
    }


def _short(found: Calibration) -> dict[str, Any]:
    """A calibration without its curves, which have a point for each leaf."""
    areas = {"aurc": found.risk, "aurc_by_worth": found.risk_by_worth}
    return {
        "n": found.n,
        "without": found.without,
        "brier": found.brier,
        "ece": found.ece,
        "bins": found.bins,
        **{name: risk.aurc if risk else None for name, risk in areas.items()},
        "auroc": found.risk.auroc if found.risk else None,
        "why": found.why,
    }
