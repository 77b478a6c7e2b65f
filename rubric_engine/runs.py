"""Runs that were kept: finding one, telling ours from others', reading its report again."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from rubric_engine.canary import COUNTS, CanaryOutcome
from rubric_engine.errors import RunError
from rubric_engine.grading import Grade, Score
from rubric_engine.injection import Scan
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.near import near
from rubric_engine.result import Report, Stop
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric
from rubric_engine.run_warnings import RunWarning
from rubric_engine.rundir import is_written
from rubric_engine.scoring import Missing
from rubric_engine.state import seal, state_folder


@dataclass(frozen=True)
class KeptRun:
    """A run folder and what its run.json says.

    Attributes:
        path: The folder.
        facts: Content of run.json; only a status where it cannot be read.
        ours: Whether this user's engine wrote it; a folder that somebody handed in is not.
    """

    path: Path
    facts: dict[str, Any]
    ours: bool

    @property
    def started(self) -> str:
        """When it began, in a form that sorts by time."""
        return str(self.facts.get("started", ""))

    @property
    def status(self) -> str:
        """What became of it; a run that nobody writes any more and that is not done has died."""
        status = str(self.facts.get("status"))
        return "died" if status == "running" and not is_written(self.path) else status

    @property
    def is_unfinished(self) -> bool:
        """Whether it was stopped or has died, and can be gone on with."""
        return self.status in ("died", "stopped") and self.is_resumable

    @property
    def is_resumable(self) -> bool:
        """Whether it is ours and kept what a resume needs."""
        return self.ours and is_file(self.path / LIST)

    @property
    def score(self) -> Score | None:
        """Its score, where run.json holds a good one."""
        try:
            return Score.model_validate(self.facts.get("score"))
        except ValidationError:
            return None


def runs_in(bases: Iterable[Path]) -> list[KeptRun]:
    """All runs in some folders, the newest last."""
    folders = [entry for base in bases if is_folder(base) for entry in _entries(base)]
    runs = [kept_run(folder) for folder in folders if is_file(folder / "run.json")]
    return sorted(runs, key=lambda run: (run.started, run.path.name))


def _entries(base: Path) -> list[Path]:
    try:
        return list(base.iterdir())
    except OSError as error:
        raise RunError(f"{base} cannot be read: {error.strerror}", code="E522") from None


def kept_run(folder: Path) -> KeptRun:
    """The run in a folder, as its run.json tells it."""
    try:
        facts = read_json(folder / "run.json")
    except RunError:
        return KeptRun(folder, {"status": "unreadable"}, ours=False)
    mark = seal(folder.resolve().name, str(facts.get("started", "")))
    return KeptRun(folder, facts, ours=mark is not None and facts.get("seal") == mark)


def find_run(name: str, bases: list[Path]) -> Path:
    """Find a run by path, by the unique end of its name, or as `latest`.

    Only a path finds a run that this user's engine did not write.

    Raises:
        RunError: No run, or several, fit.
    """
    if is_file(Path(name) / "run.json"):
        return Path(name)
    runs = runs_in(bases)
    ours = [run for run in runs if run.ours]
    if name == "latest" and ours:
        return ours[-1].path
    fits = [run.path for run in ours if run.path.name.endswith(name)]
    if len(fits) == 1:
        return fits[0]
    trouble = f"{len(fits)} runs end in {name!r}" if fits else f"no run {name!r}"
    meant = near(name, (run.path.name for run in ours))
    strangers = len(runs) - len(ours)
    others = [f"passed over {strangers} runs that you did not make; a path reads them"]
    raise RunError(
        trouble + (f"; {meant}" if meant and not fits else ""),
        looked=[
            *(f"looked in {base}" for base in bases),
            *(others if strangers else []),
            *([] if seal("") else [f"no secret can be kept in {state_folder()}: no run is yours"]),
        ],
        fix=["rubric-engine runs list", "rubric-engine grade SUBMISSION --task TASK   makes a run"],
    )


def newest_unfinished(bases: list[Path]) -> Path:
    """The newest run of this user that was stopped or has died.

    Raises:
        RunError: There is none.
    """
    ours = [run for run in runs_in(bases) if run.ours and run.status in ("died", "stopped")]
    if ours:
        return ours[-1].path
    raise RunError(
        "no run that was stopped",
        looked=[f"looked in {base}" for base in bases],
        fix=["rubric-engine runs list", "rubric-engine resume RUN   takes any run"],
    )


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of a run folder.

    Raises:
        RunError: It is missing or no JSON object.
    """
    try:
        value = json.loads(
            path.read_text(encoding="utf-8"), parse_constant=_refused, parse_float=_finite
        )
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}", code="E522") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not valid JSON: {error}", code="E522") from None
    if not isinstance(value, dict):
        raise RunError(f"{path} is not a JSON object", code="E522")
    return value


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text)


def _refused(text: str) -> float:
    """Refuse what is no number of JSON: no page can hold it."""
    raise ValueError(f"{text[:20]} is no finite number")


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
        raise RunError(f"{path} has more than {MAX_REPORT // 10**6} MB", code="E522")
    try:
        file = _ReportFile.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunError(f"{path} is no report: {where}: {first['msg']}", code="E522") from None
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
        raise RunError(f"{path} cannot be read: {error}", code="E522") from None
