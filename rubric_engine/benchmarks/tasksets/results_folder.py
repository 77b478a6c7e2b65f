"""The folder that one process at a time writes the results of a run to.

results.json   everything, written when a run begins and when it ends
results.csv    one line an answer
kept.jsonl     each answer at once, as it comes and as it is judged; the last line of one counts
answers/       each answer as a submission
lock           held by the process that writes
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.benchmarks.tasksets.collecting import Key
from rubric_engine.benchmarks.tasksets.results import (
    RESULTS,
    AnswerResult,
    Results,
    dump_results,
    load_results,
    write_whole,
)
from rubric_engine.benchmarks.tasksets.results_csv import csv_text
from rubric_engine.errors import UsageError
from rubric_engine.lookup import is_file
from rubric_engine.rundir import cut_torn_end, locked, storing

KEPT = "kept.jsonl"
CSV = "results.csv"
_OURS = frozenset({RESULTS, KEPT, CSV, "answers", "lock", f".{RESULTS}.half", f".{CSV}.half"})


class ResultsFolder:
    """A folder of results that this process writes.

    Args:
        path: The folder; `holding` makes it and holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextmanager
    def holding(cls, path: Path) -> Iterator[ResultsFolder]:
        """Hold a folder while the body runs.

        Raises:
            UsageError: It holds something else.
            StorageError: Another process writes it, or it is not writable.
        """
        require_free(path)
        with storing(path, "name another place with -o DIR"):
            path.mkdir(parents=True, exist_ok=True)
            lock = locked(path)
        try:
            yield cls(path)
        finally:
            lock.close()

    def before(self) -> Results | None:
        """What an earlier process wrote; None where the folder is new."""
        return load_results(self.path) if is_file(self.path / RESULTS) else None

    def kept(self) -> dict[Key, AnswerResult]:
        """Every answer that was kept; what a crash tore at the end is cut off."""
        if is_file(self.path / KEPT):
            with storing(self.path / KEPT):
                cut_torn_end(self.path / KEPT)
        return read_kept(self.path)

    def keep(self, answer: AnswerResult) -> None:
        """Keep an answer as it stands now."""
        line = json.dumps(answer.model_dump(mode="json", exclude_defaults=True)) + "\n"
        with storing(self.path / KEPT), (self.path / KEPT).open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def write(self, results: Results) -> None:
        """Write `results.json` and `results.csv`."""
        dump_results(results, self.path)
        write_whole(self.path / CSV, csv_text(results))


def read_kept(folder: Path) -> dict[Key, AnswerResult]:
    """Every answer that a folder keeps, as it stood last."""
    path, found = folder / KEPT, dict[Key, AnswerResult]()
    if not is_file(path):
        return found
    with storing(path):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for line in lines:
        try:
            answer = AnswerResult.model_validate(json.loads(line))
        except (ValueError, ValidationError):
            continue  # a line that a crash spoilt is asked for again
        found[answer.task, answer.sample] = answer
    return found


def require_free(path: Path) -> None:
    """Make sure that results may be kept in a folder.

    Raises:
        UsageError: It is a file, or holds something else.
    """
    if not os.path.lexists(path) or is_file(path / RESULTS):
        return
    with storing(path, "name another place with -o DIR"):
        others = sorted(entry.name for entry in path.iterdir() if entry.name not in _OURS)
    if others:
        raise UsageError(
            f"{path} holds something else than results of a run over a set",
            code="E633",
            looked=[f"it holds {name!r}" for name in others[:3]],
            fix=["name a new folder with -o DIR"],
        )
