"""The folder that one process at a time writes the results of a run over a set to.

results.csv    one line an answer
answers/       each answer as a submission
"""

from __future__ import annotations

from pathlib import Path

from rubric_engine.benchmarks.results_folder import RESULTS, KeepingFolder
from rubric_engine.benchmarks.results_folder import read_kept as read
from rubric_engine.benchmarks.tasksets.collecting import Key
from rubric_engine.benchmarks.tasksets.results import (
    AnswerResult,
    Results,
    dump_results,
    load_results,
)
from rubric_engine.benchmarks.tasksets.results_csv import csv_text
from rubric_engine.lookup import is_file
from rubric_engine.replacing import replace_text

CSV = "results.csv"


class ResultsFolder(KeepingFolder[Key, AnswerResult]):
    """A folder of results that this process writes; each answer is kept as it comes, and judged."""

    of, code, ours = "a run over a set", "E633", frozenset({CSV, "answers"})

    def before(self) -> Results | None:
        """What an earlier process wrote; None where the folder is new."""
        return load_results(self.path) if is_file(self.path / RESULTS) else None

    def kept(self) -> dict[Key, AnswerResult]:
        """Every answer that was kept; what a crash tore at the end is cut off."""
        self.mend()
        return read_kept(self.path)

    def write(self, results: Results) -> None:
        """Write `results.json` and `results.csv`."""
        dump_results(results, self.path)
        replace_text(self.path / CSV, csv_text(results))


def read_kept(folder: Path) -> dict[Key, AnswerResult]:
    """Every answer that a folder keeps, as it stood last."""
    return read(folder, AnswerResult, lambda answer: (answer.task, answer.sample))
