"""The folder that one process at a time writes the results of a grading to.

results.csv     one line a question
taxonomy.json   why leaves failed, where that was asked
"""

from __future__ import annotations

from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    ExpResults,
    dump_exp_results,
    load_exp_results,
)
from rubric_engine.benchmarks.expbench.grading.results_csv import answers_csv
from rubric_engine.benchmarks.results_folder import RESULTS, KeepingFolder, read_kept
from rubric_engine.lookup import is_file
from rubric_engine.replacing import replace_text

CSV, TAXONOMY = "results.csv", "taxonomy.json"


class ExpFolder(KeepingFolder[str, AnswerOutcome]):
    """A folder of results that this process writes."""

    of, code, ours = "EXP-Bench", "E608", frozenset({CSV, TAXONOMY})

    def before(self) -> ExpResults | None:
        """What an earlier process wrote; None where the folder is new."""
        return load_exp_results(self.path) if is_file(self.path / RESULTS) else None

    def kept(self) -> dict[str, AnswerOutcome]:
        """Every answer that was kept, by its question; what a crash tore is cut off."""
        self.mend()
        return read_outcomes(self.path)

    def write(self, results: ExpResults) -> None:
        """Write `results.json` and `results.csv`."""
        dump_exp_results(results, self.path)
        replace_text(self.path / CSV, answers_csv(results))


def read_outcomes(folder: Path) -> dict[str, AnswerOutcome]:
    """Every answer that a folder keeps, by its question, as it stood last."""
    return read_kept(folder, AnswerOutcome, lambda answer: answer.task)
