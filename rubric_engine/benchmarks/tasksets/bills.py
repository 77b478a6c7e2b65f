"""What agent and judges have cost, as the ledger beside their runs has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results, so_far
from rubric_engine.connection import LEDGER
from rubric_engine.connection.costs import cost_of
from rubric_engine.ledger import LedgerReader, Spent


def agent_run(run: str) -> str:
    """Name under which the agent's calls are billed."""
    return f"{run}-agent"


def judging_run(run: str, number: int, sample: int) -> str:
    """Name of the run that judges an answer: of the task of that number, from 1."""
    return f"{run}-{number}-{sample}"


def earlier(runs: Path, run: str) -> dict[str, Spent]:
    """What each run of these results has spent so far."""
    path = runs / LEDGER
    if not path.is_file():
        return {}
    with LedgerReader.open(path) as ledger:
        return {name: ledger.spent(name) for name in _names(runs, run)}


def costs(runs: Path, run: str) -> dict[str, dict[str, float]]:
    """Calls, tokens and dollars of the agent and of the judges; dollars only where all are known.

    Args:
        runs: Folder of the runs.
        run: Name that all of these begin with.
    """
    path = runs / LEDGER
    if not path.is_file():
        return {}
    sums: dict[str, Counter[str]] = {"agent": Counter(), "judge": Counter()}
    with LedgerReader.open(path) as ledger:
        for name in _names(runs, run):
            cost = cost_of(ledger, name, priced=False, max_cost=None, max_tokens=None)
            sums["agent" if name == agent_run(run) else "judge"].update(cost)
    return {who: _known(sum_) for who, sum_ in sums.items() if sum_["attempts"] or sum_["calls"]}


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


def _known(cost: Mapping[str, float]) -> dict[str, float]:
    return {name: amount for name, amount in cost.items() if amount or name == "calls"}


def _names(runs: Path, run: str) -> Iterator[str]:
    yield agent_run(run)
    yield from sorted(each.name for each in runs.glob(f"{run}-*") if each.is_dir())
