"""Labelled cases: what judges are measured on, read from folders.

Two layouts load as they stand: ours (`case.yaml`, `labels.yaml`, `submission/`) and PaperBench's
(`<paper>/<n>/grading/expected_result.json` beside `submission/` or `submission.tar`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rubric_engine._content import content_folder
from rubric_engine.errors import CaseError
from rubric_engine.judgeeval.cases.beside import labels_beside, labels_in, submission_hash
from rubric_engine.judgeeval.cases.case import HandedIn, LabelledCase
from rubric_engine.judgeeval.cases.own import CASE, load_own
from rubric_engine.judgeeval.cases.paperbench import EXPECTED, load_paperbench

__all__ = [
    "HandedIn",
    "LabelledCase",
    "labels_beside",
    "labels_in",
    "load_cases",
    "submission_hash",
]

_DEEPEST = 3
"""Levels below a folder at which cases are looked for: judge_eval/<paper>/<n>."""

_NO_CASES = frozenset({"submission", "grading", "results"})


def load_cases(*paths: str | Path) -> tuple[LabelledCase, ...]:
    """Load labelled cases; submissions stay where they are until they are judged.

    Args:
        *paths: Folders, each a case or one that holds cases up to three levels below; the shipped
            cases where none is given.

    Returns:
        The cases, sorted by path within each folder.

    Raises:
        CaseError: A folder holds no case, two cases have one name, or one is wrong.
        LabelsError: Labels are wrong, or lie inside the submission.
        TaskError: A case names a task that there is not.
    """
    places = [Path(path) for path in paths] or [content_folder("judgeeval")]
    cases = [_load(folder) for place in places for folder in _found(place)]
    seen: dict[str, LabelledCase] = {}
    for case in cases:
        if case.name in seen:
            raise CaseError(
                f"two cases are called {case.name!r}",
                code="E542",
                looked=[str(seen[case.name].folder), str(case.folder)],
                fix=["name each folder of cases once"],
            )
        seen[case.name] = case
    return tuple(cases)


def _load(folder: Path) -> LabelledCase:
    return load_own(folder) if (folder / CASE).is_file() else load_paperbench(folder)


def _found(place: Path) -> list[Path]:
    found = list(_search([place], _DEEPEST))
    if not found:
        raise CaseError(
            f"{place} holds no labelled case"
            if place.is_dir()
            else f"{place} is no folder of labelled cases",
            looked=[f"{place}/**/{CASE}", f"{place}/**/{EXPECTED}"],
            fix=["rubric-engine judgeeval run --judge JUDGE   takes the shipped cases"],
        )
    return found


def _search(folders: Sequence[Path], levels: int) -> Iterator[Path]:
    for folder in folders:
        if (folder / CASE).is_file() or (folder / EXPECTED).is_file():
            yield folder
        elif levels and folder.is_dir():
            inner = [entry for entry in folder.iterdir() if entry.is_dir()]
            # What a submission holds is its author's, and no case of ours.
            kept = [entry for entry in sorted(inner) if entry.name not in _NO_CASES]
            yield from _search(kept, levels - 1)
