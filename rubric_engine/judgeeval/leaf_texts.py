"""What leaves of an evaluation ask for, and why its judge said what it did, where that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.errors import RubricEngineError
from rubric_engine.judgeeval.case_result import CaseResult
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.lookup import is_file
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.runs import load_report
from rubric_engine.task import load_task


@dataclass(frozen=True)
class CaseTexts:
    """The texts of one case of one evaluation.

    Attributes:
        requirements: Of its leaves, by key; empty where its rubric is not at hand.
        explanations: The judge's reasons, likewise; empty where its run is not.
    """

    requirements: Mapping[str, str] = field(default_factory=dict)
    explanations: Mapping[str, str] = field(default_factory=dict)


def texts_of(evaluation: Evaluation, bases: Sequence[Path]) -> dict[str, CaseTexts]:
    """Find the texts of each case: in the run that graded it, else its requirements in its task.

    Args:
        evaluation: The evaluation.
        bases: Folders of runs.

    Returns:
        Texts by name of the case; empty ones where neither is at hand, or is of another rubric.
    """
    return {case.name: _texts(case, bases) for case in evaluation.cases}


def _texts(case: CaseResult, bases: Sequence[Path]) -> CaseTexts:
    report = next(_runs(case, bases), None)
    if report is not None:
        said = {key: grade.explanation for key, grade in report.grades.items()}
        return CaseTexts(_requirements(report.rubric), said)
    with suppress(RubricEngineError):
        rubric = load_task(case.task).rubric
        if rubric.sha256 == case.rubric_sha256:
            return CaseTexts(_requirements(rubric))
    return CaseTexts()


def _runs(case: CaseResult, bases: Sequence[Path]) -> Iterator[Report]:
    """The run that graded a case, where it is kept; its name is no path."""
    name = case.run
    if not name or Path(name).name != name:
        return
    for base in bases:
        if is_file(base / name / "run.json"):
            with suppress(RubricEngineError):
                report = load_report(base / name)
                if report.provenance.get("rubric_sha256") == case.rubric_sha256:
                    yield report


def _requirements(rubric: Rubric) -> dict[str, str]:
    return {key: rubric[key].requirements for key in rubric.leaves()}
