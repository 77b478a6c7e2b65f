"""The evaluations that a command was given: folders, or folders of such folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.cli.output import note, printable
from rubric_engine.errors import CaseError, UsageError

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Evaluation


def evaluations_in(paths: Sequence[Path]) -> dict[Path, Evaluation]:
    """Load the evaluations of folders, each once, under names that tell them apart.

    Args:
        paths: Folders that hold `evaluation.json`, or folders of such folders. Other files, which
            a shell may have named along with them, are passed over and told.

    Raises:
        CaseError: A folder holds no evaluation, or a damaged one.
        UsageError: Only files were given.
    """
    from rubric_engine.judgeeval import load_evaluation
    from rubric_engine.judgeeval.judge_table import unique_names

    folders = [path for path in paths if not path.is_file()]
    for path in paths:
        if path.is_file():
            note(f"passed over {printable(str(path))}: it is no folder")
    if not folders:
        raise UsageError(
            "no folder of an evaluation was given",
            fix=["rubric-engine judgeeval report RESULT...   each a folder with evaluation.json"],
        )
    found = {inner.resolve(): inner for path in folders for inner in _inside(path)}
    loaded = [load_evaluation(path) for path in found.values()]
    names = unique_names(_by_folder(found.values(), loaded))
    return {
        path: one if one.name == name else one.model_copy(update={"name": name})
        for path, one, name in zip(found.values(), loaded, names, strict=True)
    }


def _by_folder(folders: Iterable[Path], loaded: Sequence[Evaluation]) -> list[Evaluation]:
    """Evaluations of one name get what tells their folders apart, whatever the order of a call."""
    often: dict[str, list[Path]] = {}
    places = [folder.resolve() for folder in folders]
    for one, place in zip(loaded, places, strict=True):
        often.setdefault(one.name, []).append(place)
    return [
        one.model_copy(update={"name": f"{one.name} ({_part(place, often[one.name])})"})
        if len(often[one.name]) > 1
        else one
        for one, place in zip(loaded, places, strict=True)
    ]


def _part(place: Path, others: Sequence[Path]) -> str:
    """The last part of a path that no other has in its place; its own name where there is none."""
    for up in range(len(place.parts) - 1):
        names = [other.parts[-1 - up] for other in others if up < len(other.parts)]
        if len(set(names)) == len(others):
            return place.parts[-1 - up]
    return place.name


def _inside(path: Path) -> Iterator[Path]:
    """The folders with an evaluation that a path stands for."""
    from rubric_engine.judgeeval.results import FACTS

    if (path / FACTS).exists():
        yield path
        return
    inner = sorted(file.parent for file in path.glob(f"*/{FACTS}"))
    if not inner:
        raise CaseError(
            f"{path} holds no evaluation",
            code="E547",
            looked=[f"{path / FACTS}", f"{path / '*' / FACTS}"],
            fix=["rubric-engine judgeeval run --judge JUDGE -o DIR   makes one"],
        )
    yield from inner
