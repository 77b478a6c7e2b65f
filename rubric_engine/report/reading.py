"""A run folder as values: the only place where the report reads files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubric_engine.connection import LEDGER
from rubric_engine.errors import LabelsError, RubricEngineError
from rubric_engine.kept import kept_receipts, kept_texts
from rubric_engine.kept.inputs import JUDGE
from rubric_engine.labels import Label, Labels, labels_text, load_labels
from rubric_engine.lookup import is_file
from rubric_engine.replacing import replace_text
from rubric_engine.report.calls import Asked
from rubric_engine.report.leaf_costs import costs_nothing, prices_of
from rubric_engine.report.so_far import report_so_far
from rubric_engine.result import Report
from rubric_engine.rubric_file import load_rubric
from rubric_engine.runs import grades_so_far, kept_run

LABELS = "labels.jsonl"
"""What a human said of the leaves of a run, kept beside its grades where there is any."""


def _no_text(path: str) -> None:
    return None


@dataclass(frozen=True)
class RunMaterial:
    """All that a report of a run is made of.

    Attributes:
        name: The run folder's name.
        status: What became of the run, as `runs list` says it.
        report: Its report, or what follows from the grades so far.
        title: Of the task.
        models: Names of the models that the judge asks.
        pending: Leaves that a run which goes on has not graded yet.
        receipts: What judges were not shown, by hash.
        labels: What a human says of the leaves, if anybody does.
        prices: Dollars by leaf; None where unknown.
        lines: Lines of what citations name, by path.
        asked: Prompts and answers of leaves, by their keys; None where none are kept.
    """

    name: str
    status: str
    report: Report
    title: str = ""
    models: tuple[str, ...] = ()
    pending: frozenset[str] = frozenset()
    receipts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    labels: Labels | None = None
    prices: Mapping[str, float | None] = field(default_factory=dict)
    lines: Callable[[str], Sequence[str] | None] = _no_text
    asked: Asked | None = None

    def label(self, key: str) -> Label | None:
        """The human's word on a leaf."""
        return self.labels.labels.get(key) if self.labels is not None else None


def read_run(run: Path, labels: Path | None = None, *, report: Report | None = None) -> RunMaterial:
    """Read a run that is finished, was stopped, or goes on.

    Args:
        run: Its folder.
        labels: A file of labels; those that the run kept by default.
        report: Its report, where that is at hand.

    Raises:
        RunError: It is no run, or damaged.
        LabelsError: The labels are wrong, or of another rubric or submission.
    """
    kept = kept_run(run)
    report = report or report_so_far(kept)
    runs_on = kept.status == "running"
    graded = grades_so_far(run) if runs_on else {}
    ledger = run.resolve().parent / LEDGER
    return RunMaterial(
        name=run.resolve().name,
        status=kept.status,
        report=report,
        title=_title(run, report),
        models=models_of(run, report.provenance.get("judge")),
        pending=frozenset(set(report.rubric.leaves()) - set(graded)) if runs_on else frozenset(),
        receipts=kept_receipts(run),
        labels=_labels(run, report, labels),
        prices=_prices(report, ledger),
        lines=kept_texts(run).lines,
        asked=Asked(report) if is_file(ledger) else None,
    )


def fitting_labels(path: Path, run: Path, sha256: str | None) -> Labels:
    """Labels of a file that are of a run's rubric and of its submission.

    Raises:
        LabelsError: They are wrong, or of another rubric or submission.
    """
    found = load_labels(path, load_rubric(run / "rubric.json"))
    strange = [key for key, label in found.labels.items() if not label.is_of(sha256)]
    if strange:
        raise LabelsError(
            f"{path}: {len(strange)} labels are of another submission, the first {strange[0]!r}",
            code="E510",
            looked=[f"the run graded {str(sha256)[:12]}"],
            fix=["give the labels of the submission that was graded"],
        )
    return found


def keep_labels(path: Path, run: Path, sha256: str | None) -> None:
    """Keep labels beside the grades of a run, so that its reports show both.

    Args:
        path: Their file.
        run: The run's folder.
        sha256: Hash of the submission that was graded.

    Raises:
        LabelsError: They are wrong, or of another rubric or submission.
        StorageError: They cannot be written.
    """
    labels = fitting_labels(path, run, sha256)
    replace_text(run / LABELS, labels_text(labels, "jsonl"))


def _labels(run: Path, report: Report, given: Path | None) -> Labels | None:
    path = given or run / LABELS
    if given is None and not is_file(path):
        return None
    sha256 = report.provenance.get("submission_sha256")
    return fitting_labels(path, run, str(sha256) if sha256 else None)


def _title(run: Path, report: Report) -> str:
    title = _json(run / "task.json").get("title") or report.rubric.title
    return str(title or report.provenance.get("task") or "")


def models_of(run: Path, judge: object) -> tuple[str, ...]:
    """Names of the models that the judge of a run, and those in it, ask.

    Args:
        run: The run's folder.
        judge: What its `run.json` or its report says of the judge; it may be anything.
    """
    cards = [judge.get("card")] if isinstance(judge, Mapping) else []
    cards += [_json(path) for path in sorted((run / JUDGE).glob("**/judge.yaml"))]
    found = (card.get("model") for card in cards if isinstance(card, dict))
    names = (model.get("name") for model in found if isinstance(model, dict))
    return tuple(dict.fromkeys(str(name) for name in names if name))


def _json(path: Path) -> dict[str, Any]:
    """A JSON object of the folder; empty where it tells nothing."""
    if is_file(path):  # a pipe in its place would never end
        with suppress(OSError, ValueError, RecursionError):
            value = json.loads(path.read_bytes())
            return value if isinstance(value, dict) else {}
    return {}


def _prices(report: Report, ledger: Path) -> Mapping[str, float | None]:
    with suppress(RubricEngineError):  # without the ledger they are unknown, and shown as that
        if costs_nothing(report) or is_file(ledger):
            return prices_of(report, ledger.parent)
    return {}
