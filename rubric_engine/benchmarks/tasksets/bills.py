"""What agent and judges have cost, as the ledger beside their runs has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rubric_engine.benchmarks.bills import cost, names_of
from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results, so_far
from rubric_engine.connection import LEDGER
from rubric_engine.ledger import LedgerReader


def agent_run(run: str) -> str:
    """Name under which the agent's calls are billed."""
    return f"{run}-agent"


def judging_run(run: str, number: int, sample: int) -> str:
    """Name of the run that judges an answer: of the task of that number, from 1."""
    return f"{run}-{number}-{sample}"


def runs_of(runs: Path, run: str) -> list[str]:
    """The runs of these results: the agent's, and one an answer that was judged."""
    return [agent_run(run), *names_of(runs, run)]


def costs(runs: Path, run: str) -> dict[str, dict[str, float]]:
    """Calls, tokens and dollars of the agent and of the judges; dollars only where all are known.

    Args:
        runs: Folder of the runs.
        run: Name that all of these begin with.
    """
    agent = agent_run(run)
    judges = [name for name in runs_of(runs, run) if name != agent]
    sums = {"agent": cost(runs, [agent]), "judge": cost(runs, judges)}
    return {who: total for who, total in sums.items() if total}


def with_seconds(answers: Iterable[AnswerResult], runs: Path) -> Iterator[AnswerResult]:
    """Answers of a chat model whose time the ledger knows, with that time.

    Args:
        answers: Answers; those without a call in the ledger are left out.
        runs: Folder of the runs.
    """
    path = runs / LEDGER
    if not path.is_file():
        return
    with LedgerReader.open(path) as ledger:
        for answer in answers:
            found = [ledger.seconds(key) for key in answer.calls if isinstance(key, str)]
            known = [each for each in found if each is not None]
            if known and sum(known) != answer.seconds:
                yield answer.model_copy(update={"seconds": sum(known)})


def billed_so_far(results: Results, runs: Path) -> Results:
    """Results of a run that goes on or was killed, with costs and times from the ledger.

    Args:
        results: The results; those of a run that ended have all of it, and stay.
        runs: Folder of the runs; without a ledger of theirs nothing is known.
    """
    if results.status != "running":
        return results
    timed = {(each.task, each.sample): each for each in with_seconds(results.answers, runs)}
    found = so_far(results, timed) if results.agent.kind == "chat" else results
    return found.model_copy(update={"cost": costs(runs, results.run)})
