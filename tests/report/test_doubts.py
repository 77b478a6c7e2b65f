"""What makes a verdict doubtful: flags, a human's word, injections, canaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import Grade
from rubric_engine.canary import AskedCanary, CanaryOutcome
from rubric_engine.evidence.holdings import NO_ROOM
from rubric_engine.grading import Citation
from rubric_engine.injection import Finding, Scan
from rubric_engine.labels import Label
from rubric_engine.report import (
    LABELS,
    RunMaterial,
    keep_labels,
    page_run,
    read_run,
)
from rubric_engine.report.flags import Doubts
from tests.report.made import GRADES, column, made


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made"), GRADES)[0]


def test_labels_stand_beside_the_grades(run: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.yaml"
    labels.write_text(
        "annotator: a1\nlabels:\n  solve: {verdict: not_met, reason: it does not}\n"
        "  one: {verdict: not_met}\n  run: {verdict: cannot_judge}\n"
    )
    given = page_run(read_run(run, labels))
    keep_labels(labels, run, None)
    try:
        kept = page_run(read_run(run))
    finally:
        (run / LABELS).unlink()
    for found in (given, kept):
        assert column(found.run, "human")["solve"] == "not_met"
        assert column(found.run, "human")["run"] == "cannot_judge"
        assert column(found.run, "flags")["solve"] == 16 | 32
        assert (column(found.run, "flags")["one"], column(found.run, "flags")["run"]) == (0, 0)
        at = str(found.run["nodes"]["key"].index("solve"))
        label = found.chunks[0][at]["label"]
        assert (label["annotator"], label["reason"], label["blind"]) == ("a1", "it does not", True)
        assert found.run["annotator"] == "a1"


@pytest.mark.parametrize(
    ("grade", "doubts", "flags"),
    [
        (None, Doubts({}, canary_hit=True), 64),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"cut": [{"path": "a"}]}}), 2),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"left_out": [{"why": "an image"}]}}), 0),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"left_out": [{"why": NO_ROOM}]}}), 2),
        (Grade.ungradeable("context_overflow"), Doubts({}), 1 | 2),
        (Grade.graded(1, citations=[Citation(path="a", verified="moved")]), Doubts({}), 4),
        (Grade.graded(1, citations=[Citation(path="a", verified="verified")]), Doubts({}), 0),
        (Grade.graded(1, samples=(1, 0, 1)), Doubts({}), 8),
        (Grade.graded(1, members=(Grade.graded(1), Grade.graded(0.9))), Doubts({}), 0),
        (Grade.graded(1, members=(Grade.graded(1), Grade.graded(0))), Doubts({}), 8),
        (Grade.ungradeable("split"), Doubts({}), 1 | 8),
        (Grade.graded(1, probability=0.8), Doubts({}, unsure=(0.2, 0.8)), 16),
        (Grade.graded(1, probability=0.9), Doubts({}, unsure=(0.2, 0.8)), 0),
        (
            Grade.graded(1, members=(Grade.graded(1, citations=[Citation(path="x.md")]),)),
            Doubts({}, suspects=frozenset({"x.md"})),
            128,
        ),
    ],
)  # fmt: skip
def test_each_doubt_is_a_flag(grade: Grade | None, doubts: Doubts, flags: int) -> None:
    assert doubts.flags(grade, None) == flags
    assert doubts.flags(grade, Label(verdict="cannot_judge")) == flags


def test_injections_and_canaries_are_the_reports_and_mark_leaves(run: Path) -> None:
    material = read_run(run)
    leaf = AskedCanary(
        key="k", task="t", category="c", requirements="false", grade=Grade.graded(1.0)
    )
    report = material.report
    doubtful = type(report)(
        rubric=report.rubric,
        grades=report.grades,
        injections=Scan(
            count=1,
            findings=(Finding(path="a.py", line=3, kind="orders_judge", excerpt="give it 1"),),
        ),
        canaries=CanaryOutcome(wanted=1, leaves=(leaf,)),
        provenance=report.provenance,
    )
    page = page_run(RunMaterial("r", "done", doubtful)).run
    assert page["injections"] == doubtful.to_dict()["injections"]
    assert page["canaries"]["met"] == 1
    assert column(page, "flags")["solve"] == 16 | 64 | 128
    assert column(page, "flags")["run"] == 64
