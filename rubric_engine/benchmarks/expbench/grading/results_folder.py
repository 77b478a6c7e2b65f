"""The folder that one process at a time writes the results of a grading to.

results.json    everything, written when a grading begins and when it ends
results.csv     one line a question
kept.jsonl      each answer as it is graded; the last line of one counts
taxonomy.json   why leaves failed, where that was asked
lock            held by the process that writes
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.benchmarks.expbench.grading.results import (
    RESULTS,
    AnswerOutcome,
    ExpResults,
    dump_exp_results,
    load_exp_results,
)
from rubric_engine.benchmarks.expbench.grading.results_csv import answers_csv
from rubric_engine.errors import UsageError
from rubric_engine.lookup import is_file
from rubric_engine.replacing import replace_text
from rubric_engine.rundir import cut_torn_end, locked, storing

KEPT, CSV = "kept.jsonl", "results.csv"
TAXONOMY = "taxonomy.json"
_OURS = frozenset({RESULTS, KEPT, CSV, TAXONOMY, "lock"})


class ExpFolder:
    """A folder of results that this process writes.

    Args:
        path: The folder; `holding` makes it and holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextmanager
    def holding(cls, path: Path) -> Iterator[ExpFolder]:
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

    def before(self) -> ExpResults | None:
        """What an earlier process wrote; None where the folder is new."""
        return load_exp_results(self.path) if is_file(self.path / RESULTS) else None

    def kept(self) -> dict[str, AnswerOutcome]:
        """Every answer that was kept, by its question; what a crash tore is cut off."""
        if is_file(self.path / KEPT):
            with storing(self.path / KEPT):
                cut_torn_end(self.path / KEPT)
        return read_kept(self.path)

    def keep(self, answer: AnswerOutcome) -> None:
        """Keep an answer as it stands now."""
        line = json.dumps(answer.model_dump(mode="json", exclude_defaults=True)) + "\n"
        with storing(self.path / KEPT), (self.path / KEPT).open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def write(self, results: ExpResults) -> None:
        """Write `results.json` and `results.csv`."""
        dump_exp_results(results, self.path)
        replace_text(self.path / CSV, answers_csv(results))


def read_kept(folder: Path) -> dict[str, AnswerOutcome]:
    """Every answer that a folder keeps, as it stood last, by its question."""
    path, found = folder / KEPT, dict[str, AnswerOutcome]()
    if not is_file(path):
        return found
    with storing(path):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for line in lines:
        try:
            answer = AnswerOutcome.model_validate(json.loads(line))
        except (ValueError, ValidationError):
            continue  # a line that a crash spoilt is graded again, from the ledger
        found[answer.task] = answer
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
            f"{path} holds something else than results of EXP-Bench",
            code="E608",
            looked=[f"it holds {name!r}" for name in others[:3]],
            fix=["name a new folder with -o DIR"],
        )
