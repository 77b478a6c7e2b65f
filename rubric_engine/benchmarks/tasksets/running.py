"""`run_task_set`: every task is asked, every answer is judged, and nothing is paid for twice.

from rubric_engine.benchmarks.tasksets import load_task_set, run_task_set, summarise

results = run_task_set(load_task_set("tasks.json"), "my_package.my_module:answer")
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rubric_engine.benchmarks.judging import Model, model_given
from rubric_engine.benchmarks.tasksets.grounding import FindClaims, claims_of
from rubric_engine.benchmarks.tasksets.how import How
from rubric_engine.benchmarks.tasksets.identity import AnyAgent, asked_of, judge_of
from rubric_engine.benchmarks.tasksets.results import Results, SetFacts, Settings
from rubric_engine.benchmarks.tasksets.results_folder import ResultsFolder
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.benchmarks.tasksets.work import Work
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.errors import UsageError
from rubric_engine.rundir import new_run_name
from rubric_engine.threads import blocking

CONCURRENCY = 4
"""Answers that are judged at a time, and tasks that an agent of one's own is given at a time."""


async def arun_task_set(
    task_set: TaskSet,
    agent: AnyAgent,
    *,
    judge: str = "answers",
    judge_model: str | Model | None = None,
    samples: int = 1,
    spending: Spending = NO_LIMIT,
    concurrency: int = CONCURRENCY,
    retries: int = 1,
    agent_timeout: float | None = None,
    runs: str | Path = "runs",
    out: str | Path = "results/task-set",
    claims: FindClaims | None = claims_of,
    settings: Settings | None = None,
    command: str | None = None,
    watcher: Watcher | None = None,
) -> Results:
    """Have an agent answer the tasks of a set, and judge its answers.

    Args:
        task_set: The set, or what was chosen of it.
        agent: ``package.module:function``, an `async def` that takes an `AgentTask`, settings of a
            chat model such as ``{"name": ..., "base_url": ...}``, or a chat model of one's own.
        judge: Name or path of the card of the judge that is asked what rules cannot tell.
        judge_model: Its model in place of that of its card and of those that tasks name.
        samples: How often each task is asked.
        spending: What agent and judges together may spend.
        concurrency: Answers that are judged at a time, and tasks that an agent of one's own is
            given at a time; a chat model keeps to its own `max_connections`.
        retries: How often an agent of one's own is asked again where it breaks.
        agent_timeout: Seconds after which an agent of one's own is given up, tries on which it
            broke counted in; None for no limit. A thread that it waits for goes on.
        runs: Folder of the runs and the ledger of paid calls.
        out: Folder of the results. A run that was stopped is gone on with there.
        claims: Counts the claims of an answer that have no ground, for the hallucination share;
            None: nobody does.
        settings: Filters and limit by which the tasks were chosen, to be kept.
        command: The command that made the run, to be kept.
        watcher: Is told how it goes.

    Returns:
        The results. Their `exit_code` tells whether something failed.

    Raises:
        UsageError: `out` holds another run, or something else.
        RubricEngineError: What fails for every task alike, such as a missing key.
    """
    how = How(
        agent=asked_of(agent),
        judge=judge,
        model=model_given(judge_model),
        spending=spending,
        concurrency=concurrency,
        retries=retries,
        # An agent is anybody's code, and may change the working folder while it is at work.
        runs=Path(runs).absolute(),
        claims=claims,
        agent_timeout=agent_timeout,
    )
    asked_for = (settings or Settings()).model_copy(update={"samples": samples})
    start = _start(task_set, how, asked_for, command)
    with ResultsFolder.holding(Path(out).absolute()) as folder:
        before = folder.before()
        if before is not None:
            require_same(before, start, Path(out))
            start = start.model_copy(update={"run": before.run, "made_at": before.made_at})
        work = Work(task_set, samples, how, folder, start, watcher or Watcher())
        return await work.carry_out(is_new=before is None)


run_task_set = blocking(arun_task_set)
"""The same as `arun_task_set`, for code that is not asynchronous."""


def _start(task_set: TaskSet, how: How, settings: Settings, command: str | None) -> Results:
    judged_by, _ = judge_of(task_set, how.judge, how.model)
    return Results(
        task_set=SetFacts(name=task_set.name, sha256=task_set.sha256, version=task_set.version),
        agent=how.agent.facts,
        judge=judged_by,
        settings=settings,
        run=new_run_name(task_set.name),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        engine=version("rubric-engine"),
        command=command,
    )


def require_same(before: Results, now: Results, folder: Path) -> None:
    """Make sure that a run may go on in a folder.

    Raises:
        UsageError: The folder holds a run of another set, agent, judge or choice of tasks.
    """
    pairs = (
        ("task set", before.task_set.sha256[:12], now.task_set.sha256[:12]),
        ("agent", _agent(before), _agent(now)),
        ("judge", _judge(before), _judge(now)),
        ("settings", _settings(before), _settings(now)),
    )
    other = [f"{what}: {then}, and now {this}" for what, then, this in pairs if then != this]
    if other:
        raise UsageError(
            f"{folder} holds results of another run",
            code="E633",
            looked=other,
            fix=["-o DIR   names a new folder; what was paid for is taken from the ledger"],
        )


def _agent(results: Results) -> str:
    return f"{results.agent.name} {results.agent.fingerprint[:12]}"


def _judge(results: Results) -> str:
    return f"{results.judge.name} {(results.judge.fingerprint or '')[:12]}".strip()


def _settings(results: Results) -> str:
    chosen = results.settings
    parts = [*chosen.filters, f"samples {chosen.samples}"]
    return ", ".join([*parts, *([f"limit {chosen.limit}"] if chosen.limit else [])])
