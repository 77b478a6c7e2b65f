"""`rubric-engine bench run`: an agent answers the tasks of a set, and its answers are judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli import output_options, pay_options
from rubric_engine.cli.options import option

_WHAT = "What is asked, and of whom"
_JUDGE = "Who judges"
_OUTPUT = output_options.PANEL


def run(
    tasks: Annotated[Path, typer.Argument(help="The set: tasks.json, or its folder.")],
    agent_model: Annotated[
        str | None,
        option(
            _WHAT,
            "Chat model that answers: its name, or a YAML file with the keys of `model` in a judge"
            " card.",
            "--agent-model",
        ),
    ] = None,
    agent: Annotated[
        str | None,
        option(_WHAT, "Agent of your own: package.module:function.", "--agent"),
    ] = None,
    agent_base_url: Annotated[
        str | None,
        option(_WHAT, "The agent's endpoint; --base-url by default.", "--agent-base-url"),
    ] = None,
    filter: Annotated[
        list[str] | None,
        option(
            _WHAT,
            "Only these tasks; may be repeated: task_id, phase, domain, difficulty, autonomy.",
            "--filter",
            metavar="KEY=VALUE",
        ),
    ] = None,
    limit: Annotated[int | None, option(_WHAT, "Only the first so many.", min=1)] = None,
    samples: Annotated[int, option(_WHAT, "How often each task is asked.", min=1, max=99)] = 1,
    retries: Annotated[
        int, option(_WHAT, "How often an agent of your own that breaks is asked again.", min=0)
    ] = 1,
    agent_timeout: Annotated[
        float | None,
        option(
            _WHAT,
            "Seconds after which an agent of your own is given up.",
            "--agent-timeout",
            metavar="SECONDS",
            min=0.001,
        ),
    ] = None,
    judge: Annotated[
        str, option(_JUDGE, "Judge of what rules cannot tell: a card's path, or a name.")
    ] = "answers",
    judge_model: Annotated[
        str | None,
        option(_JUDGE, "Its model, in place of the tasks' and the card's.", "--judge-model"),
    ] = None,
    base_url: pay_options.BaseUrl = None,
    context_window: pay_options.ContextWindow = None,
    max_connections: pay_options.MaxConnections = None,
    max_wait: pay_options.MaxWait = None,
    max_cost: pay_options.MaxCost = None,
    max_tokens: pay_options.MaxTokens = None,
    dry_run: pay_options.DryRun = False,
    confirm_above: pay_options.ConfirmAbove = 5.0,
    yes: pay_options.Yes = False,
    fresh: pay_options.Fresh = False,
    retry_failed: pay_options.RetryFailed = False,
    concurrency: Annotated[
        int, option(_OUTPUT, "Answers judged, and own agents at work, at a time.", min=1)
    ] = 4,
    resume: Annotated[
        bool,
        option(
            _OUTPUT,
            "Go on with a run, and begin none. Without it, too, the same command goes on.",
            "--resume",
        ),
    ] = False,
    runs: output_options.Runs = Path("runs"),
    output: Annotated[
        Path | None,
        option(
            _OUTPUT,
            "Folder for results; by default results/SET-AGENT, then filters, limit and samples.",
            "--output",
            "-o",
        ),
    ] = None,
    quiet: output_options.Quiet = False,
    as_json: output_options.AsJson = False,
) -> int:
    """Have an agent answer the tasks of a set, and judge its answers."""
    from rubric_engine.benchmarks.tasksets.loading import load_task_set
    from rubric_engine.benchmarks.tasksets.results import Settings
    from rubric_engine.cli.bench_setting import REMARK, agent_of, folder_of
    from rubric_engine.cli.bench_tables import print_run
    from rubric_engine.cli.benching import Benching
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.guests import guest_output
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.connection import Spending

    whole = load_task_set(tasks)
    pace = {"max_wait": max_wait, "max_connections": max_connections}
    with guest_output():  # an agent's module may print as it is loaded
        asked = agent_of(agent, agent_model, agent_base_url or base_url, pace)
    settings = Settings(samples=samples, filters=tuple(filter or ()), limit=limit)
    benching = Benching(
        tasks=whole.choose(filter or (), limit),
        agent=asked,
        judge=judge,
        model=model_settings(judge_model, base_url, context_window, **pace),
        settings=settings,
        spending=Spending(max_cost, max_tokens, fresh, retry_failed),
        runs=runs,
        folder=output or folder_of(whole.name, asked, settings),
        agent_timeout=agent_timeout,
    )
    benching.require_place(resume=resume)
    if dry_run:
        print_foresight(benching.foresight(), as_json=as_json, remark=REMARK)
        return 0
    silent, agreed = quiet or as_json, yes or max_cost is not None
    benching.confirm(above=None if agreed else confirm_above, silent=silent)
    results = benching.carry_out(concurrency=concurrency, retries=retries, silent=silent)
    return print_run(results, benching.folder, quiet=quiet, as_json=as_json)
