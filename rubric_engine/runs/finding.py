"""Finding a run that was kept, and telling ours from others'."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rubric_engine.errors import RunError
from rubric_engine.grading import Score
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.near import near
from rubric_engine.rundir import is_written
from rubric_engine.runs.facts import read_json
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
