"""`grade_answers`: every question of a folder, each answer graded, nothing paid for twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.asked import Grading, card_for
from rubric_engine.benchmarks.expbench.grading.questions import read_questions, strangers
from rubric_engine.benchmarks.expbench.grading.results import ExpResults
from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
from rubric_engine.benchmarks.expbench.grading.watching import Watcher
from rubric_engine.benchmarks.expbench.grading.work import Work
from rubric_engine.benchmarks.judging import Model, model_given
from rubric_engine.candidate import load_candidate
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.errors import UsageError
from rubric_engine.isolation import RunSpec, Sandbox
from rubric_engine.rundir import new_run_name
from rubric_engine.sandbox import load_sandbox
from rubric_engine.threads import blocking

CONCURRENCY = 4
"""Answers that are graded at a time."""


async def agrade_answers(
    answers: str | Path,
    tasks: str | Path = "tasks",
    *,
    judge: str = "simple",
    model: str | Model | None = None,
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
    watcher: Watcher | None = None,
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
        watcher: Is told how it goes.

    Returns:
        The results. Their `exit_code` tells whether something failed.

    Raises:
        UsageError: `out` holds another grading, or something else.
        RubricEngineError: What fails for every answer alike, such as a missing key.
    """
    # A sandbox or a model of one's own may change the working folder meanwhile.
    place, tasks = Path(answers).absolute(), Path(tasks).absolute()
    questions = read_questions(tasks, Path(repos).absolute() if repos is not None else None, sample)
    box = load_sandbox(sandbox) if isinstance(sandbox, str) else sandbox
    how = Grading(judge, model_given(model), Path(runs).absolute(), spending, box, spec)
    known = read_questions(tasks, None) if sample is not None else questions
    found = {"strangers": strangers(place, known), "runs": str(runs)}
    start = _start(how, tau, command).model_copy(update=found)
    with ExpFolder.holding(Path(out).absolute()) as folder:
        before = folder.before()
        if before is not None:
            _require_same(before, start, Path(out))
            start = start.model_copy(update={"run": before.run, "made_at": before.made_at})
        work = Work(questions, place, how, folder, start, concurrency, watcher or Watcher())
        return await work.carry_out()


grade_answers = blocking(agrade_answers)
"""The same as `agrade_answers`, for code that is not asynchronous."""


def _start(how: Grading, tau: float, command: str | None) -> ExpResults:
    found = load_candidate(card_for(how.judge), model=how.settings)
    own = how.own
    names = [own.config.name] if own is not None else [each.name for each in found.models]
    return ExpResults(
        judge=how.judge,
        judge_fingerprint=found.judge.card.fingerprint,
        models=tuple(dict.fromkeys(names)),
        sandbox=how.sandbox.name if how.sandbox is not None else None,
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
