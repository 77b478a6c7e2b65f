"""Which files of a submission pass for results: who says so, and whether they were handed in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from rubric_engine.categories import category
from rubric_engine.check_form import CheckModel
from rubric_engine.checks import AllOf, AnyOf, Contains, FileExists, Not, Number, Produced, Sql
from rubric_engine.criterion import Criterion
from rubric_engine.files import File, is_source
from rubric_engine.globs import matches
from rubric_engine.monitor.claims.claim import file_claims
from rubric_engine.monitor.claims.paths import paths_in
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.texts import SourceText
from rubric_engine.rubric import Rubric

SETTINGS = re.compile(r"config|setting|hparam|hyper|param|args|options|meta|manifest|environment")
"""Stems of files that say how a run was made, and not what came of it."""

_RESULTS = frozenset(
    {".bmp", ".csv", ".feather", ".gif", ".h5", ".hdf5", ".jpeg", ".jpg", ".json", ".jsonl"}
    | {".log", ".npy", ".npz", ".out", ".parquet", ".pdf", ".pickle", ".pkl", ".png", ".svg"}
    | {".tsv", ".txt", ".xlsx"}
)
_PICTURES = frozenset({".bmp", ".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg"})
_AMONG_RESULTS = re.compile(r"(?:^|[/_-])(?:results?|outputs?|metrics|scores?|summary|out|logs?)\b")
_INPUTS = re.compile(
    r"(?:^|/)(?:assets|cache|configs?|data|datasets?|docs|inputs?|prompts|tests?)/"
)
_IN_QUERY = re.compile(r"'([^'\n]{1,300}\.[A-Za-z0-9]{2,8})'")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Expected:
    """A file that was handed in and that passes for a result of the run.

    Attributes:
        file: As it was handed in.
        who: Who says so, such as `declared by the task`.
    """

    file: File
    who: str


def expected(
    run: Run, reports: Iterable[SourceText], quoted: Collection[str] = ()
) -> Iterator[Expected]:
    """The files handed in that pass for results of the run.

    They are those that `outputs` of the task name; those that a leaf of the rubric which needs a
    run names in a check or in its question; data that a report calls a result by its path; and
    data whose numbers a report gives.

    Args:
        run: The run.
        reports: What reports on the submission.
        quoted: Paths of data that was handed in whose numbers a report gives.
    """
    task, files = run.task, [file for file in run.handed_in.files if file.kind != "empty"]
    results = {file.path for file in files if _is_result(file.path)}
    asked = tuple(_of_rubric(task.rubric)) if results else ()
    cited = frozenset(_cited(reports)) if results else frozenset()
    for file in files:
        if task.outputs and _is_declared(run, file.path):
            yield Expected(file, "declared by the task")
        elif file.path in results:
            if any(matches(glob, file.path) for glob in asked):
                yield Expected(file, "named by the rubric")
            elif file.path in cited and not _is_picture(file.path):
                yield Expected(file, "called a result by a report")
            elif file.path in quoted and not _INPUTS.search(file.path.lower()):
                yield Expected(file, "quoted by a report")


def _is_declared(run: Run, path: str) -> bool:
    """Whether the task names a file; of notes among results, only where it does so by name."""
    return run.is_output(path) and (not is_source(path) or path in run.task.outputs)


def _is_result(path: str) -> bool:
    """Whether a name may be that of a result: data or a picture, and neither settings nor input."""
    plain = PurePosixPath(path.lower())
    known = plain.suffix in _RESULTS and not plain.name.startswith("requirements")
    return known and not SETTINGS.search(plain.stem)


def _is_picture(path: str) -> bool:
    # A report shows drawings of a method, too, which no run makes.
    return PurePosixPath(path.lower()).suffix in _PICTURES


def _of_rubric(rubric: Rubric) -> Iterator[str]:
    """Globs of what leaves that need a run read; one that begins with a wildcard names no file."""
    for key in rubric.leaves():
        leaf = rubric[key]
        if category(leaf.task_category, rubric.categories).needs_run:
            yield from (glob for glob in _of_leaf(leaf) if not _WILD.search(glob.split("/")[0]))


def _of_leaf(leaf: Criterion) -> Iterator[str]:
    yield from paths_in(leaf.requirements)
    for check in leaf.checks:
        yield from _of_check(check)


def _of_check(check: CheckModel) -> Iterator[str]:
    match check:
        case Produced() | FileExists() | Contains():
            yield check.file
        case Number() if check.file is not None:
            yield check.file
        case Sql():
            yield from (found[1] for found in _IN_QUERY.finditer(check.query))
        case AnyOf() | AllOf():
            for inner in check.checks:
                yield from _of_check(inner)
        case Not():
            yield from _of_check(check.check)


def _cited(reports: Iterable[SourceText]) -> Iterator[str]:
    """Paths that reports name as those of results."""
    for text in reports:
        for claim in file_claims(text.text):
            path = claim.path.removeprefix("./")
            if _AMONG_RESULTS.search(path.lower()) and not _INPUTS.search(path.lower()):
                yield path
