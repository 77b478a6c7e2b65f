"""A run as plain JSON values: what a page shows at once, and what it shows of an opened leaf.

Every figure is that of `report.json`; nothing is computed here another way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rubric_engine.report.apart import told_apart
from rubric_engine.report.columns import node_columns, unsure_band
from rubric_engine.report.commands import going_on
from rubric_engine.report.details import SIZE, Detail, chunks_of
from rubric_engine.report.masking import Mask, Masked
from rubric_engine.report.reading import RunMaterial
from rubric_engine.result import Report, words_of
from rubric_engine.score_words import POLICY
from rubric_engine.spending.cost_words import cost_words
from rubric_engine.submission_names import called_in

_LEFT_OUT = frozenset({"report", "leaves", "reasons", "noted", "criteria", "scores", "grades"})
"""What of `report.json` stands in columns and details, or follows from them."""

_PENDING = frozenset({"W202", "W206"})
"""Warnings of leaves without a grade; while a run goes on, that is no trouble."""


@dataclass(frozen=True)
class RunPage:
    """A run as a page takes it.

    Attributes:
        run: What is shown at once; its criteria stand in `nodes` as columns.
        chunks: Details of the leaves, `SIZE` criteria a chunk, by index of the criterion.
        masked: What was hidden in both.
    """

    run: dict[str, Any]
    chunks: Sequence[Mapping[str, Detail]]
    masked: Masked


def page_run(
    material: RunMaterial,
    *,
    redact: Sequence[str] = (),
    prompts: bool = False,
    served: bool = False,
) -> RunPage:
    """Make a run's page data.

    Args:
        material: The run, as `read_run` gives it.
        redact: Patterns of google-re2; what they find is hidden in all texts.
        prompts: Hold the prompts and answers, each leaf's under `asked`.
        served: Say of each leaf whether a server can give them.

    Raises:
        UsageError: A pattern is none.
    """
    mask = Mask(redact)
    whole = material.report.to_dict()
    keys = [row["key"] for row in whole["criteria"]]
    chunks = chunks_of(material, keys, mask, prompts=prompts, served=served)
    run = {**run_head(material, whole), "nodes": node_columns(material, whole["criteria"])}
    masked = mask.of(run) | {"details": {"size": SIZE, "chunks": len(chunks)}}
    masked["nodes"]["key"] = told_apart(masked["nodes"]["key"])
    masked["go_on"] = going_on(masked["stopped"], masked["id"])
    masked["said"] = said_of(material.report, masked["disqualified"])  # no word of it is masked
    return RunPage(masked | {"masked": mask.count.to_dict()}, chunks, mask.count)


def page_of(runs: Sequence[RunPage]) -> dict[str, Any]:
    """The page of some runs."""
    return {
        "page": 1,
        "version": version("rubric-engine"),
        "kind": "runs",
        "runs": [one.run for one in runs],
    }


def said_of(report: Report, disqualified: str | None) -> dict[str, Any]:
    """The sentences of a page that more than one kind of it shows.

    Args:
        report: The report.
        disqualified: Why it is disqualified, masked; None where it is not.

    Returns:
        ``{"score": {"headline", "lines"}, "policy", "cost": {"sum", "counts", "notes"}}``: the
        score with its range first, what leaves without a grade count as, and what was paid.
    """
    score, cost = words_of(report, disqualified), cost_words(report.cost)
    return {
        "score": {"headline": score.headline, "lines": list(score.lines)},
        "policy": POLICY[report.missing],
        "cost": {"sum": cost.sum, "counts": list(cost.counts), "notes": list(cost.notes)},
    }


def run_head(material: RunMaterial, whole: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a run as a whole: all of its page data but criteria and details.

    Args:
        material: The run.
        whole: Its report as plain JSON values.
    """
    report, facts = material.report, material.report.provenance
    judge, band = facts.get("judge") or {}, unsure_band(report)
    found = {name: value for name, value in whole.items() if name not in _LEFT_OUT}
    if material.pending:
        found["warnings"] = [one for one in found["warnings"] if one["code"] not in _PENDING]
    return {
        "id": material.name,
        "task": str(facts.get("task") or ""),
        "title": material.title,
        "submission": called_in(facts),
        "case": str(facts["case"]) if facts.get("case") is not None else None,
        "status": material.status,
        "complete": material.status == "done" and not report.failed,
        "judge": {
            "name": judge.get("name"),
            "fingerprint": judge.get("fingerprint"),
            "models": list(material.models),
            "unsure": list(band) if band is not None else None,
        },
        "annotator": material.labels.annotator if material.labels is not None else None,
        **found,
    }
