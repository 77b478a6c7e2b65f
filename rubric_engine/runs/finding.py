"""Finding a run that was kept, and telling ours from others'."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rubric_engine.errors import RunError
from rubric_engine.grading import Score
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.near import near
from rubric_engine.rundir import is_part, is_written
from rubric_engine.runs.facts import read_json
from rubric_engine.state import seal, state_folder

_ID = 6
"""Characters of the short id in the name of a run."""


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
    def is_part(self) -> bool:
        """Whether a larger run made it: one over a benchmark, or a measuring of a judge."""
        return is_part(self.path.name) or self.facts.get("case") is not None

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
        raise RunError(
            f"{base} cannot be read: {error.strerror}",
            code="E522",
            fix=[
                f"ls -ld {shlex.quote(str(base))}   says who may read it",
                "--runs DIR   names another folder",
            ],
        ) from None


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

    Only a path finds a run that this user's engine did not write. The latest is the last that
    stands for itself: those which a larger run made (see `KeptRun.is_part`) are passed over.

    Raises:
        RunError: No run, or several, fit.
    """
    if is_file(Path(name) / "run.json"):
        return Path(name)
    runs = runs_in(bases)
    ours = [run for run in runs if run.ours]
    begun = [run for run in ours if not run.is_part]
    if name == "latest" and begun:
        return begun[-1].path
    fits = [run for run in ours if run.path.name.endswith(name)]
    if len(fits) == 1:
        return fits[0].path
    trouble = f"{len(fits)} runs end in {name!r}" if fits else f"no run {name!r}"
    meant = near(name, (run.path.name for run in ours))
    strangers = len(runs) - len(ours)
    others = [f"passed over {strangers} runs that you did not make; a path reads them"]
    raise RunError(
        trouble + (f"; {meant}" if meant and not fits else ""),
        looked=[
            *(f"looked in {base}" for base in bases),
            *(others if strangers else []),
            *(_passed_over(len(ours)) if name == "latest" else []),
            *([] if seal("") else [f"no secret can be kept in {state_folder()}: no run is yours"]),
        ],
        fix=_fixes(fits or (ours if name == "latest" else []), ours),
    )


def _fixes(fits: Sequence[KeptRun], ours: Sequence[KeptRun]) -> list[str]:
    listed = "rubric-engine runs list"
    if not fits:
        return [listed, "rubric-engine grade SUBMISSION --task TASK   makes a run"]
    newest = fits[-1].path
    short = short_name(newest.name, [run.path.name for run in ours if run is not fits[-1]])
    return [f"rubric-engine show {short or newest}   names the newest of them", listed]


def short_name(name: str, others: Collection[str]) -> str | None:
    """The shortest end of a run's name, of whole words, that finds it among others.

    It begins with a word as long as an id, for numbers at the end of a name are soon used again.

    Args:
        name: The name.
        others: Names of the other runs.

    Returns:
        The end, or the whole name; None where another name ends in all of it.
    """
    words = name.split("-")
    ids = (at for at in reversed(range(len(words))) if len(words[at]) >= _ID)
    for end in (*("-".join(words[at:]) for at in ids), name):
        if not any(other.endswith(end) for other in others):
            return end
    return None


def _passed_over(parts: int) -> list[str]:
    told = f"passed over {parts} runs that belong to runs over a benchmark or to JudgeEval"
    return [told] if parts else []


def newest_unfinished(bases: list[Path]) -> Path:
    """The newest run of this user that was stopped or has died, and that stands for itself.

    Raises:
        RunError: There is none.
    """
    ours = [run for run in runs_in(bases) if run.ours and run.status in ("died", "stopped")]
    begun = [run for run in ours if not run.is_part]
    if begun:
        return begun[-1].path
    raise RunError(
        "no run that was stopped",
        looked=[*(f"looked in {base}" for base in bases), *_passed_over(len(ours))],
        fix=["rubric-engine runs list", "rubric-engine resume RUN   takes any run"],
    )
