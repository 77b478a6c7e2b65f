"""The run folders that there are: looked at anew each time, and read again only where changed.

A folder that cannot be read, or holds half a run, is told and hides no other.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.errors import RunError
from rubric_engine.rundir import is_written
from rubric_engine.runs import KeptRun, kept_run, read_json
from rubric_engine.web.viewing.known import Known, Stamp, stamp_of


@dataclass(frozen=True)
class Found:
    """The runs that there are at one moment.

    Attributes:
        runs: By id, the newest first; an id is what the name of a folder is shown as, or that and
            a number.
        broken: Why a folder that looks like a run cannot be shown, by its name.
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
        broken: dict[str, str] = {}
        paths = self._only or [path for base in self._bases for path in _inside(base, broken)]
        runs = [run for path in paths if (run := self._run(path, broken)) is not None]
        self._known.keep(str(run.path) for run in runs)
        mine = runs if self._only else sorted((run for run in runs if run.ours), key=_age)
        self._last = _by_id(mine, self._naming)
        return Found(self._last, broken, len(runs) - len(mine))

    def run(self, id: str) -> KeptRun | None:
        """One run as it is now, found without a look at all others where it is as it was."""
        last = self._last.get(id)
        if last is not None and self._known.held(str(last.path), _stamp(last.path)) is last:
            return last
        return self.look().runs.get(id)

    def _run(self, path: Path, broken: dict[str, str]) -> KeptRun | None:
        """The run in a folder; None where there is none, or none that can be read."""
        try:
            if not stat.S_ISREG((path / "run.json").stat().st_mode):
                broken[path.name] = "its run.json is no file"
                return None
        except (FileNotFoundError, NotADirectoryError):
            if _was_begun(path):
                broken[path.name] = "it ended before anything of it was kept"
            return None
        except OSError as error:
            broken[path.name] = f"it cannot be read: {error.strerror}"
            return None
        run = self._known.get(str(path), _stamp(path), lambda: kept_run(path))
        if run.status == "unreadable":
            broken[path.name] = f"{_damage(path)}, so nothing says whose run it is"
            return None
        return run


def _inside(base: Path, broken: dict[str, str]) -> list[Path]:
    try:
        with os.scandir(base) as entries:
            return [base / entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        broken[str(base)] = f"it cannot be read: {error.strerror}"
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


def _by_id(runs: Sequence[KeptRun], naming: Callable[[str], str]) -> dict[str, KeptRun]:
    """The newest first; of two folders of one name the newer has a number."""
    names = [naming(run.path.resolve().name) for run in runs]
    return dict(reversed([*zip(_ids(names), runs, strict=True)]))


def _ids(names: Iterable[str]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield f"{name}~{seen[name]}" if seen[name] > 1 else name
