"""Reading the report of a run that was kept, without judging anything again."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from rubric_engine.canary import COUNTS, CanaryOutcome
from rubric_engine.errors import RunError
from rubric_engine.grading import Grade
from rubric_engine.injection import Scan
from rubric_engine.monitored import MonitorOutcome
from rubric_engine.result import Report, Stop
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric
from rubric_engine.run_warnings import RunWarning
from rubric_engine.runs.facts import MEND, read_json
from rubric_engine.scoring import Missing

MAX_REPORT = 500_000_000
"""Bytes of the largest report.json that is read."""


class _ReportFile(BaseModel):
    """What of report.json is read again; the rest follows from it."""

    model_config = ConfigDict(extra="ignore")

    report: Literal[1]
    grades: dict[str, Grade]
    missing: Missing
    noted: list[RunWarning]
    cost: dict[str, int | float]
    provenance: dict[str, Any]
    disqualified: str | None
    stopped: Stop | None = None
    injections: Scan = Scan()
    canaries: CanaryOutcome | None = None
    monitor: MonitorOutcome | None = None

    @field_validator("canaries", mode="before")
    @classmethod
    def _without_counts(cls, value: Any) -> Any:
        """What follows from the leaves is not read again."""
        if not isinstance(value, dict):
            return value
        return {name: said for name, said in value.items() if name not in COUNTS}


def load_report(run: Path) -> Report:
    """Read the report of a run, without judging anything again.

    Of a run that did not finish, it is made of the grades that were known.

    Raises:
        RunError: It is no run, or damaged.
    """
    facts = _checked(read_json(run / "run.json"))
    whole = load_rubric(run / "rubric.json")
    category = facts.get("category")
    rubric = whole.subset(category=category) if isinstance(category, str) else whole
    path = run / "report.json"
    if not path.is_file():
        return _unfinished(run, rubric, facts)
    if path.stat().st_size > MAX_REPORT:
        raise RunError(f"{path} has more than {MAX_REPORT // 10**6} MB", code="E522", fix=MEND)
    try:
        file = _ReportFile.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunError(
            f"{path} is no report: {where}: {first['msg']}", code="E522", fix=MEND
        ) from None
    noted = tuple(file.noted)
    if file.provenance.get("rubric_sha256") != whole.sha256:
        noted += (RunWarning("W222", "rubric.json of the run was changed after it was graded"),)
    return Report(
        rubric=rubric,
        grades=file.grades,
        missing=file.missing,
        noted=noted,
        cost=file.cost,
        provenance=_checked(file.provenance),
        run=str(run),
        disqualified=file.disqualified,
        stopped=file.stopped,
        injections=file.injections,
        canaries=file.canaries,
        monitor=file.monitor,
    )


def _checked(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts whose judge, which others look into, is a mapping."""
    return facts if isinstance(facts.get("judge", {}), dict) else facts | {"judge": {}}


def _unfinished(run: Path, rubric: Rubric, facts: dict[str, Any]) -> Report:
    grades = grades_so_far(run)
    left = Grade.ungradeable("cancelled", "the run was stopped before this leaf was graded")
    every = {key: grades.get(key, left) for key in rubric.leaves()}
    return Report(rubric, every, provenance=facts, run=str(run))


def grades_so_far(run: Path) -> dict[str, Grade]:
    """The grades in a run's grades.jsonl, the last one of each leaf.

    What follows the first line that is not whole, as a crash leaves it, is passed over.

    Raises:
        RunError: The file cannot be read.
    """
    path = run / "grades.jsonl"
    try:
        if not path.is_file() or path.stat().st_size > MAX_REPORT:
            return {}
        lines = path.read_bytes().split(b"\n")[:-1]
        whole = itertools.takewhile(lambda line: line[:1] == b"{" and line[-1:] == b"}", lines)
        entries = [json.loads(line) for line in whole]
        return {entry["key"]: Grade.model_validate(entry["grade"]) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"{path} cannot be read: {error}", code="E522", fix=MEND) from None
