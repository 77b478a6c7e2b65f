"""The folder that one process at a time writes the results of a benchmark to.

results.json   everything, written when a run begins and when it ends
begun.json     the same as the run last began or went on: with what was kept since, it gives all
               of a results.json that was damaged
kept.jsonl     each answer at once; the last line of one counts
lock           held by the process that writes
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ValidationError

from rubric_engine.errors import Place, RunError, UsageError
from rubric_engine.lookup import is_file
from rubric_engine.replacing import replace_text
from rubric_engine.rubric_file.models import in_words, validation_problems
from rubric_engine.rundir import cut_torn_end, locked, storing

RESULTS, BEGUN, KEPT = "results.json", "begun.json", "kept.jsonl"
_ALWAYS = frozenset({RESULTS, BEGUN, KEPT, "lock"})

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept", bound=BaseModel)
Value = TypeVar("Value", bound=BaseModel)


class KeepingFolder(Generic[Key, Kept]):
    """A folder of results that this process writes.

    Args:
        path: The folder; `holding` makes it and holds it.

    Attributes:
        of: Whose results, in messages.
        code: Of the error where the folder holds something else.
        ours: Names besides those that every such folder has.
    """

    of: ClassVar[str]
    code: ClassVar[str]
    ours: ClassVar[frozenset[str]]

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextmanager
    def holding(cls, path: Path) -> Iterator[Self]:
        """Hold a folder while the body runs.

        Raises:
            UsageError: It holds something else.
            StorageError: Another process writes it, or it is not writable.
        """
        cls.require_free(path)
        with storing(path, "name another place with -o DIR"):
            path.mkdir(parents=True, exist_ok=True)
            lock = locked(path)
        try:
            yield cls(path)
        finally:
            lock.close()

    @classmethod
    def require_free(cls, path: Path) -> None:
        """Make sure that results may be kept in a folder.

        Raises:
            UsageError: It is a file, or holds something else.
        """
        if not os.path.lexists(path) or is_file(path / RESULTS):
            return
        ours = _ALWAYS | cls.ours
        with storing(path, "name another place with -o DIR"):
            names = sorted(entry.name for entry in path.iterdir())
        others = [name for name in names if name not in ours and not _is_half(name, ours)]
        if others:
            raise UsageError(
                f"{path} holds something else than results of {cls.of}",
                code=cls.code,
                looked=[f"it holds {name!r}" for name in others[:3]],
                fix=["name a new folder with -o DIR"],
            )

    def keep(self, answer: Kept) -> None:
        """Keep an answer as it stands now."""
        line = json.dumps(answer.model_dump(mode="json", exclude_defaults=True)) + "\n"
        with storing(self.path / KEPT), (self.path / KEPT).open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def mend(self) -> None:
        """Cut off what a crash tore at the end of what is kept."""
        if is_file(self.path / KEPT):
            with storing(self.path / KEPT):
                cut_torn_end(self.path / KEPT)


def _is_half(name: str, ours: frozenset[str]) -> bool:
    """Whether a file is what a crash left of writing one of ours."""
    whole, _, process = name.removeprefix(".").rpartition(".")
    return name.startswith(".") and process.isdigit() and whole in ours


def read_kept(folder: Path, model: type[Kept], key: Callable[[Kept], Key]) -> dict[Key, Kept]:
    """Every answer that a folder keeps, as it stood last; lines that a crash spoilt are left out.

    Args:
        folder: The folder.
        model: Of an answer.
        key: What tells an answer from others.
    """
    path, found = folder / KEPT, dict[Key, Kept]()
    if not is_file(path):
        return found
    with storing(path):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for line in lines:
        try:
            answer = model.model_validate(json.loads(line))
        except (ValueError, RecursionError):  # a ValidationError is a ValueError
            continue  # what it said is asked for again, from the ledger
        found[key(answer)] = answer
    return found


def write_results(results: BaseModel, folder: Path, *, begins: bool) -> None:
    """Write `results.json`, of a run that begins or goes on `begun.json` as well.

    A reader sees the old file or the new one, whole.
    """
    text = f"{json.dumps(results.model_dump(mode='json'), indent=1)}\n"
    for name in (BEGUN, RESULTS) if begins else (RESULTS,):
        replace_text(folder / name, text)


def read_results(
    path: str | os.PathLike[str], model: type[Value], *, of: str, code: str, fix: str
) -> Value:
    """Read the results of a run; where they are damaged, as they were when it began.

    Args:
        path: `results.json`, or the folder that holds it.
        model: Of the results.
        of: Whose they are, in messages.
        code: Of the error.
        fix: What makes such results.

    Raises:
        RunError: They cannot be read, or are something else.
    """
    place = Path(path)
    place = place / RESULTS if place.is_dir() else place
    try:
        value = _json(place, code, fix)
    except _DamagedError as damaged:
        begun = place.with_name(BEGUN)
        if place.name != RESULTS or not is_file(begun):
            raise
        try:
            value = _json(begun, code, fix)
        except RunError:
            raise damaged from None  # it is the one that the caller named
    try:
        return model.model_validate(value)
    except ValidationError as failed:
        first = next(validation_problems(failed))
        said = f"no results of {of}: {in_words(*first[:3])}"
        raise RunError(said, code=code, place=Place(str(place)), fix=[fix]) from None


class _DamagedError(RunError):
    """A file of results that was cut off, or never was one."""


def _json(place: Path, code: str, fix: str) -> object:
    try:
        return json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        said = f"results cannot be read: {place}: {error.strerror}"
        raise RunError(said, code=code, fix=[fix]) from None
    except (ValueError, RecursionError):
        raise _DamagedError(f"{place} holds no JSON", code=code, fix=[fix]) from None
