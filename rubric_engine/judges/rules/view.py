"""Which files the checks of a leaf may read, and from where.

A leaf that needs no run sees the submission as handed in. In a leaf that needs a run, Python is
read as handed in, too: a run cannot write the code that it is judged by. Texts are the handed-in
ones, less the outputs that were removed before the run, overlaid with what it produced; but code
and documents that it changed are read as handed in. Data (`number`, `sql`) is only what the run
produced, so that results that were handed in never count as results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rubric_engine.case import Case
from rubric_engine.errors import SubmissionError
from rubric_engine.files import File, FileIndex, is_source
from rubric_engine.isolation import Execution, Log
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.python_source import Module, read_module
from rubric_engine.submitted import Submission

MAX_FILE = 50_000_000
"""Bytes of the largest file that a check reads as text."""

_CACHED_FILE = 1_000_000  # bytes of the largest text that is kept between checks
_CACHED_FILES = 128
_CACHED_MODULES = 4096


class View:
    """Some files of one or two submissions, each with the submission that it is read from."""

    def __init__(self, sources: Mapping[str, Submission]) -> None:
        self._sources = sources
        self.files = FileIndex.of(source.files[path] for path, source in sources.items())
        # Caches of the instance, not of the class: they must die with the grading.
        self.glob = lru_cache(_CACHED_FILES)(self.files.glob)
        self.module = lru_cache(_CACHED_MODULES)(self._module)
        self._small_text = lru_cache(_CACHED_FILES)(self._text)

    def text(self, file: File) -> str:
        r"""Text of a file, lines ending in ``\n``.

        Raises:
            Undecided: The file is too large, or is no longer what it was.
        """
        if file.size > MAX_FILE:
            raise Undecided(
                "check_limit", f"{file.path} has {file.size} bytes; at most {MAX_FILE} are read"
            )
        return self._small_text(file) if file.size <= _CACHED_FILE else self._text(file)

    def content(self, file: File) -> bytes:
        """Content of a file; errors as `text`, but of any size."""
        try:
            return self._sources[file.path].read_bytes(file.path)
        except SubmissionError as error:
            raise Undecided("infra", f"{file.path} cannot be read: {error.message}") from error

    def _text(self, file: File) -> str:
        try:
            text = self._sources[file.path].read(file.path)
        except SubmissionError as error:
            raise Undecided("infra", f"{file.path} cannot be read: {error.message}") from error
        return text.replace("\r\n", "\n")

    def _module(self, file: File) -> Module:
        return read_module(self.text(file), notebook=file.path.endswith(".ipynb"))


@dataclass(frozen=True)
class Sight:
    """All that the checks of one leaf may read.

    Attributes:
        source: Files for checks of Python.
        texts: Files for checks of names and texts.
        data: Files for checks of numbers and tables.
        handed_in: The submission as it came, to tell what was not produced from what is not there.
        skipped: What of it, and of what the run left, no judge sees.
        needs_run: Whether the leaf can only be judged by a run.
        run: The run, or None where there was none that may touch a grade.
        partial_credit: Whether the leaf takes scores between 0 and 1.
    """

    source: View
    texts: View
    data: View
    handed_in: FileIndex
    skipped: tuple[File, ...]
    needs_run: bool
    run: Execution | None
    partial_credit: bool = False

    def require_run(self) -> Execution:
        """The run.

        Raises:
            Undecided: There was none.
        """
        if self.run is None:
            raise Undecided("not_run", "reproduce.sh was not run")
        return self.run

    def require_log(self) -> Log:
        """The log of the run.

        Raises:
            Undecided: There was no run, or nobody kept its log.
        """
        log = self.require_run().log
        if log is None:
            raise Undecided("not_run", "the log is not known: the run was made elsewhere; --log")
        return log

    def require_data(self) -> View:
        """The data files.

        Raises:
            Undecided: Only a run could have made them, and there was none.
        """
        if self.needs_run:
            self.require_run()
        return self.data


def sights(case: Case) -> dict[bool, Sight]:
    """What leaves may read: under False those that need no run, under True those that do."""
    files = case.submission.files
    handed_in = View(dict.fromkeys(files.readable, case.submission))
    run = case.execution if case.execution is not None and case.execution.usable else None
    produced = _produced(run)
    gone = set(run.removed_before) if run is not None else set()
    kept = {path: case.submission for path in files.readable if path not in gone}
    overlay = {
        path: run for path, run in produced.items() if not (path in kept and is_source(path))
    }
    texts, data = View(kept | overlay), View(produced)
    left = run.submission.files.skipped if run is not None and run.submission else ()
    not_taken = run.not_taken if run is not None else ()
    skipped = files.skipped
    return {
        False: Sight(handed_in, handed_in, handed_in, files, skipped, needs_run=False, run=run),
        True: Sight(
            handed_in, texts, data, files, (left or skipped) + not_taken, needs_run=True, run=run
        ),
    }


def _produced(run: Execution | None) -> dict[str, Submission]:
    if run is None or run.submission is None:
        return {}
    return {path: run.submission for path in run.produced if path in run.submission.files}
