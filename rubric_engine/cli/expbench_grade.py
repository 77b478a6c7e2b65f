"""`rubric-engine expbench grade`: answers to questions of EXP-Bench, graded side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli import options, output_options, pay_options, run_options
from rubric_engine.cli.options import option

_WHAT, _RUN, _OUTPUT = "What is graded", run_options.PANEL, output_options.PANEL

REMARK = "files that running an answer makes are not in it: nobody knows them before"


def grade(
    answers: Annotated[
        Path, typer.Argument(help="Folder of the answers, each called as its task.")
    ],
    tasks: Annotated[Path, option(_WHAT, "Folder that `import` wrote tasks to.", "--tasks")] = Path(
        "tasks"
    ),
    tau: Annotated[
        float,
        option(_WHAT, "Share of its leaves from which a part holds.", "--tau", min=0.01, max=1),
    ] = 1.0,
    sample: Annotated[
        int | None,
        option(_WHAT, "Only so many questions, the same ones each time.", "--sample", min=1),
    ] = None,
    judge: Annotated[
        str, option(_WHAT, "Judge: a card's path, or a name.", "--judge", "-j")
    ] = "simple",
    repos: Annotated[
        Path | None,
        option(_RUN, "Folder of masked repositories, each called as its task.", "--repos"),
    ] = None,
    sandbox: Annotated[
        str, option(_RUN, "auto (Docker, where it answers), docker, or none.", "--sandbox")
    ] = "auto",
    engine: run_options.Engine = None,
    recipe: run_options.Recipe = None,
    gpus: run_options.Gpus = None,
    network: run_options.NetworkPolicy = None,
    time_limit: run_options.TimeLimit = None,
    memory: run_options.Memory = None,
    model: pay_options.Model = None,
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
        int, option(_OUTPUT, "Answers graded at a time.", "--concurrency", min=1)
    ] = 4,
    runs: output_options.Runs = Path("runs"),
    output: Annotated[Path, option(_OUTPUT, "Folder for results.", "--output", "-o")] = Path(
        "results/expbench"
    ),
    csv: Annotated[
        Path | None, option(_OUTPUT, "Write the figures as CSV.", "--csv", metavar="FILE")
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> int:
    """Grade answers: design, implementation, conclusion, execution, monitor."""
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.expbench_setting import Setting
    from rubric_engine.cli.expbench_tables import print_graded, write_figures
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.cli.sandboxing import Wanted, gpu_ids
    from rubric_engine.connection import Spending

    pace = {"max_wait": max_wait, "max_connections": max_connections}
    setting = Setting(
        answers=answers,
        tasks=tasks,
        repos=repos,
        sample=sample,
        judge=judge,
        model=model_settings(model, base_url, context_window, **pace),
        spending=Spending(max_cost, max_tokens, fresh, retry_failed),
        runs=runs,
        output=output,
        wanted=Wanted(sandbox, engine, recipe, gpu_ids(gpus), network, time_limit, memory),
    )
    silent, agreed = quiet or as_json, yes or max_cost is not None
    setting.check(dry=dry_run)
    if dry_run:
        print_foresight(setting.foresight(), as_json=as_json, remark=REMARK)
        return 0
    setting.confirm(above=None if agreed else confirm_above, silent=silent)
    results = setting.carry_out(tau=tau, concurrency=concurrency, silent=silent)
    if csv is not None:
        write_figures(results, tau, csv)
    given = {"--model": model, "--base-url": base_url}
    return print_graded(results, tau, output, given, quiet=quiet, as_json=as_json)
