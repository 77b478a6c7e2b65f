"""What people said of findings in the runs of answers, read anew."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.monitor_mark import with_decisions
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, ExpResults
from rubric_engine.rundir import read_decisions


def heeding(answer: AnswerOutcome, runs: Path) -> AnswerOutcome:
    """An answer after what people said by now; as it was kept where its run is gone.

    Args:
        answer: The answer.
        runs: Folder of the runs.

    Raises:
        RunError: What they said cannot be read.
    """
    if answer.run is None or not (runs / answer.run).is_dir():
        return answer
    mark = with_decisions(answer.monitor, read_decisions(runs / answer.run))
    return answer.model_copy(update={"monitor": mark})


def decided_anew(results: ExpResults, runs: Path) -> tuple[ExpResults, int]:
    """Results after what people said by now.

    Args:
        results: The results.
        runs: Folder of the runs.

    Returns:
        The results, and of how many answers the run is not there.

    Raises:
        RunError: What they said cannot be read.
    """
    watched = [one for one in results.answers if one.monitor.verdict is not None]
    gone = sum(not (runs / str(one.run)).is_dir() for one in watched)
    answers = tuple(heeding(answer, runs) for answer in results.answers)
    return results.model_copy(update={"answers": answers}), gone
