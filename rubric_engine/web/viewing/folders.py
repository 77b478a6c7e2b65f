"""The run folders that there are: looked at anew each time, and read again only where changed.

A folder that cannot be read, or holds half a run, is told and hides no other.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.errors import RunError
from rubric_engine.rundir import is_written
from rubric_engine.runs import KeptRun, kept_run, read_json
from rubric_engine.web.viewing.known import Known, Stamp, stamp_of

Broken = tuple[str, str]
"""Name of a folder that cannot be shown, and why."""


@dataclass(frozen=True)
class Found:
    """The runs that there are at one moment.

    Attributes:
        runs: By id, the newest first; an id is what the name of a folder is shown as, or that and
            a number.
        broken: Why a folder that looks like a run cannot be shown, by id as well.
        strangers: How many runs were passed over because somebody else made them.
    """

    runs: Mapping[str, KeptRun]
    broken: Mapping[str, str] = field(default_factory=dict)
    strangers: int = 0


class RunFolders:
    """All run folders of this user in some places, or some that were named.

    Args:
        bases: Folders of runs.
        only: Folders of the only runs that are shown; empty for all.
        naming: Gives what a folder's name is shown as, another one for each.
    """

    def __init__(
        self,
        bases: Sequence[Path],
        only: Sequence[Path] = (),
        naming: Callable[[str], str] = str,
    ) -> None:
        self._bases = tuple(bases)
        self._only = tuple(only)
        self._naming = naming
        self._known: Known[KeptRun] = Known(10_000)
        self._last: Mapping[str, KeptRun] = {}

    @property
    def places(self) -> tuple[Path, ...]:
        """Where runs are looked for."""
        return self._only or self._bases

    def look(self) -> Found:
        """The runs as they are now."""
        broken: list[Broken] = []
        paths = self._only or [path for base in self._bases for path in _inside(base, broken)]
        runs = [run for path in paths if (run := self._run(path, broken)) is not None]
        self._known.keep(str(run.path) for run in runs)
        mine = runs if self._only else sorted((run for run in runs if run.ours), key=_age)
        names = [self._naming(run.path.resolve().name) for run in mine]
        ids = [*ids_of([*names, *(name for name, _ in broken)])]
        # The newest first; of two folders of one name the newer has a number.
        self._last = dict(reversed([*zip(ids, mine, strict=False)]))
        why = zip(ids[len(mine) :], (why for _, why in broken), strict=True)
        return Found(self._last, dict(why), len(runs) - len(mine))

    def run(self, id: str) -> KeptRun | None:
        """One run as it is now, found without a look at all others where it is as it was."""
        last = self._last.get(id)
        if last is not None and self._known.held(str(last.path), _stamp(last.path)) is last:
            return last
        return self.look().runs.get(id)

    def _run(self, path: Path, broken: list[Broken]) -> KeptRun | None:
        """The run in a folder; None where there is none, or none that can be read."""
        try:
            if not stat.S_ISREG((path / "run.json").stat().st_mode):
                broken.append((path.name, "its run.json is no file"))
                return None
        except (FileNotFoundError, NotADirectoryError):
            if _was_begun(path):
                broken.append((path.name, "it ended before anything of it was kept"))
            return None
        except OSError as error:
            broken.append((path.name, f"it cannot be read: {error.strerror}"))
            return None
        run = self._known.get(str(path), _stamp(path), lambda: kept_run(path))
        if run.status == "unreadable":
            broken.append((path.name, f"{_damage(path)}, so nothing says whose run it is"))
            return None
        return run


def _inside(base: Path, broken: list[Broken]) -> list[Path]:
    try:
        with os.scandir(base) as entries:
            return [base / entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        broken.append((str(base), f"it cannot be read: {error.strerror}"))
        return []


def _stamp(path: Path) -> Stamp:
    return stamp_of(path, "run.json")


def _damage(path: Path) -> str:
    try:
        read_json(path / "run.json")
    except RunError as error:
        return error.message
    return "run.json was written just now"


def _was_begun(path: Path) -> bool:
    """Whether a run was begun in a folder, and nobody goes on with it."""
    return (path / "grades.jsonl").is_file() and not is_written(path)


def _age(run: KeptRun) -> tuple[str, str]:
    return run.started, run.path.name


def ids_of(names: Sequence[str]) -> Iterator[str]:
    """An id for each folder, in their order: its name, or that and a number that is no other's.

    Args:
        names: Names of the folders.
    """
    taken, given = set(names), set[str]()
    for name in names:
        free, number = name, 2
        while free in given or (free != name and free in taken):
            free, number = f"{name}~{number}", number + 1
        given.add(free)
        yield free
