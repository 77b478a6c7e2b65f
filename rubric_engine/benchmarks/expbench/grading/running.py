"""`grade_answers`: every question of a folder, each answer graded, nothing paid for twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.grading.asked import Grading, card_for
from rubric_engine.benchmarks.expbench.grading.questions import read_questions, strangers
from rubric_engine.benchmarks.expbench.grading.results import ExpResults
from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
from rubric_engine.benchmarks.expbench.grading.work import Told, Work
from rubric_engine.candidate import load_candidate
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.errors import UsageError
from rubric_engine.isolation import RunSpec, Sandbox
from rubric_engine.model import ChatModel
from rubric_engine.rundir import new_run_name
from rubric_engine.sandbox import load_sandbox
from rubric_engine.threads import run_anywhere

CONCURRENCY = 4
"""Answers that are graded at a time."""


def grade_answers(
    answers: str | Path,
    tasks: str | Path = "tasks",
    *,
    judge: str = "simple",
    model: str | Mapping[str, Any] | ChatModel | None = None,
    repos: str | Path | None = None,
    sandbox: str | Sandbox | None = None,
    spec: Callable[[RunSpec], RunSpec] | None = None,
    tau: float = 1.0,
    sample: int | None = None,
    spending: Spending = NO_LIMIT,
    concurrency: int = CONCURRENCY,
    runs: str | Path = "runs",
    out: str | Path = "results/expbench",
    command: str | None = None,
    told: Told | None = None,
) -> ExpResults:
    """Grade answers to questions of EXP-Bench.

    Args:
        answers: Folder of the answers, each in a folder called as its task's.
        tasks: Folder that `expbench import` wrote to.
        judge: Name or path of the judge's card.
        model: Its model in place of its card's: a name, settings, or a model of your own.
        repos: Folder of the masked repositories, each called as its task's folder.
        sandbox: Where answers are run: a sandbox or its name; None runs none.
        spec: Changes how an answer is run from what its task says: 40 minutes, no network.
        tau: The share from which on a part holds; kept for the table, it changes no grade.
        sample: Grade so many questions only, the same ones each time.
        spending: What all of them together may spend.
        concurrency: Answers that are graded at a time.
        runs: Folder of the runs and the ledger of paid calls.
        out: Folder of the results. A grading that was stopped is gone on with there.
        command: The command that made it, to be kept.
        told: Is told of each answer as it is graded.

    Returns:
        The results. Their `exit_code` tells whether something failed.

    Raises:
        UsageError: `out` holds another grading, or something else.
        RubricEngineError: What fails for every answer alike, such as a missing key.
    """
    return run_anywhere(
        agrade_answers(
            answers,
            tasks,
            judge=judge,
            model=model,
            repos=repos,
            sandbox=sandbox,
            spec=spec,
            tau=tau,
            sample=sample,
            spending=spending,
            concurrency=concurrency,
            runs=runs,
            out=out,
            command=command,
            told=told,
        )
    )


async def agrade_answers(
    answers: str | Path,
    tasks: str | Path = "tasks",
    *,
    judge: str = "simple",
    model: str | Mapping[str, Any] | ChatModel | None = None,
    repos: str | Path | None = None,
    sandbox: str | Sandbox | None = None,
    spec: Callable[[RunSpec], RunSpec] | None = None,
    tau: float = 1.0,
    sample: int | None = None,
    spending: Spending = NO_LIMIT,
    concurrency: int = CONCURRENCY,
    runs: str | Path = "runs",
    out: str | Path = "results/expbench",
    command: str | None = None,
    told: Told | None = None,
) -> ExpResults:
    """Grade answers to questions of EXP-Bench; see `grade_answers`."""
    place = Path(answers)
    questions = read_questions(Path(tasks), Path(repos) if repos is not None else None, sample)
    settings: Mapping[str, Any] | ChatModel
    settings = {"name": model} if isinstance(model, str) else model or {}
    box = load_sandbox(sandbox) if isinstance(sandbox, str) else sandbox
    how = Grading(judge, settings, box, spec, Path(runs), spending)
    start = _start(judge, settings, box, tau, command)
    known = read_questions(Path(tasks), None) if sample is not None else questions
    start = start.model_copy(update={"strangers": strangers(place, known)})
    with ExpFolder.holding(Path(out)) as folder:
        before = folder.before()
        if before is not None:
            _require_same(before, start, folder.path)
            start = start.model_copy(update={"run": before.run, "made_at": before.made_at})
        return await Work(questions, place, how, folder, start, concurrency, told).carry_out()


def _start(
    judge: str,
    model: Mapping[str, Any] | ChatModel,
    box: Sandbox | None,
    tau: float,
    command: str | None,
) -> ExpResults:
    own = model if isinstance(model, ChatModel) else None
    found = load_candidate(card_for(judge), model={} if isinstance(model, ChatModel) else model)
    names = [own.config.name] if own is not None else [each.name for each in found.models]
    return ExpResults(
        judge=judge,
        judge_fingerprint=found.judge.card.fingerprint,
        models=tuple(dict.fromkeys(names)),
        sandbox=box.name if box is not None else None,
        tau=tau,
        run=new_run_name("expbench"),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        engine=version("rubric-engine"),
        command=command,
    )


def _require_same(before: ExpResults, now: ExpResults, folder: Path) -> None:
    """Make sure that a grading may go on in a folder: one table has one judge.

    Raises:
        UsageError: Another judge graded there.
    """
    then, this = (
        f"{one.judge} {(one.judge_fingerprint or '')[:12]}, {', '.join(one.models) or 'no model'}"
        for one in (before, now)
    )
    if then != this:
        raise UsageError(
            f"{folder} holds what another judge graded",
            code="E608",
            looked=[f"judge: {then}, and now {this}"],
            fix=["-o DIR   names a new folder; what was paid for is taken from the ledger"],
        )
