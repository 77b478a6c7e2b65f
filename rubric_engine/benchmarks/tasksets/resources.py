"""Reading the files that a task gives to agents: texts within the folder of the set."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from rubric_engine.errors import TaskError
from rubric_engine.lookup import inside, is_file
from rubric_engine.near import near
from rubric_engine.task import read_text

MOST_BYTES = 1_000_000
"""Bytes of the largest resource: a prompt holds all of it."""

_COPY = "copy the file into the folder, and name it from there"


def read_resource(folder: Path, path: str) -> str:
    """Text of a resource.

    Args:
        folder: The folder of the set.
        path: Path in it.

    Raises:
        InputError: It lies elsewhere, is missing, too large, or no text.
    """
    plain = PurePosixPath(path)
    if "\0" in path or plain.is_absolute() or ".." in plain.parts:
        raise TaskError("it lies outside the folder of the set", code="E625", fix=[_COPY])
    file = folder / path
    if not inside(file, folder):
        raise TaskError(
            "it lies outside the folder of the set, through a link", code="E625", fix=[_COPY]
        )
    if not is_file(file):
        raise TaskError("there is no such file", code="E625", fix=_meant(folder, path))
    if file.stat().st_size > MOST_BYTES:
        said = f"it is larger than {MOST_BYTES // 10**6} MB"
        raise TaskError(said, code="E625", fix=[f"head -c {MOST_BYTES} keeps its beginning"])
    return read_text(file)


def _meant(folder: Path, path: str) -> list[str]:
    try:
        names = [entry.name for entry in (folder / path).parent.iterdir()]
    except OSError:
        names = []
    hint = near(PurePosixPath(path).name, names)
    return [hint or f"paths begin in the folder of the set: ls {folder}"]
