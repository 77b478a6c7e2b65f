"""The folder that one process at a time writes an evaluation to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.results import FACTS
from rubric_engine.lookup import inside, is_file
from rubric_engine.rundir import locked, storing

LOCK = "lock"


@contextmanager
def writing(folder: Path | None, cases: Iterable[LabelledCase]) -> Iterator[None]:
    """Hold a folder for an evaluation while the body runs.

    Args:
        folder: The folder; None holds nothing.
        cases: What is evaluated; a result holds labels, which no submission may hold.

    Raises:
        UsageError: The folder lies in a case, or holds something else.
        StorageError: Another process writes it, or it is not writable.
    """
    if folder is None:
        yield
        return
    require_place(folder, cases)
    with storing(folder, "name another place with -o DIR"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = locked(folder)
    try:
        yield
    finally:
        lock.close()


def require_place(folder: Path, cases: Iterable[LabelledCase]) -> None:
    """Make sure that an evaluation may be kept in a folder.

    Raises:
        UsageError: The folder lies in a case, or holds something else.
        StorageError: It cannot be read.
    """
    require_outside(folder, cases, "-o")
    _require_free(folder)


def require_outside(folder: Path, cases: Iterable[LabelledCase], flag: str) -> None:
    """Make sure that nothing is written where a submission or a case lies.

    Raises:
        UsageError: It would be.
    """
    for case in cases:
        for place in (case.path, case.folder):
            if inside(folder, place):
                raise UsageError(
                    f"{flag} {folder} lies in {place}, which is a case's",
                    code="E012",
                    fix=[f"{flag} DIR   names a folder elsewhere"],
                )


def _require_free(folder: Path) -> None:
    if not os.path.lexists(folder) or is_file(folder / FACTS):
        return
    with storing(folder, "name another place with -o DIR"):
        others = [entry.name for entry in folder.iterdir() if entry.name != LOCK]
    if others:
        raise UsageError(
            f"{folder} holds something else than an evaluation",
            code="E012",
            looked=[f"it holds {name!r}" for name in sorted(others)[:3]],
            fix=["name a new folder with -o DIR"],
        )
