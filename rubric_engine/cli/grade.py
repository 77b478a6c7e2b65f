"""`rubric-engine grade`: the main thing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import pay_options, run_options
from rubric_engine.cli.choosing import AUTO
from rubric_engine.cli.options import Json, Quiet, finite, option
from rubric_engine.cli.outcome import exit_code, failed_gates, print_report

if TYPE_CHECKING:
    from rubric_engine.result import Report

_WHAT = "What is graded"
_RUN = run_options.PANEL
_OUTPUT = "Output and gates"


def _share(help: str) -> Any:
    return option(_OUTPUT, help, metavar="PERCENT", min=0, max=100, callback=finite)


def grade(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    task: Annotated[
        str | None, option(_WHAT, "Task: a folder, or a name such as heavy-ball.")
    ] = None,
    rubric: Annotated[Path | None, option(_WHAT, "Rubric, in place of a task.")] = None,
    paper: Annotated[Path | None, option(_WHAT, "Text of the paper.")] = None,
    judge: Annotated[str, option(_WHAT, "Judge: a card's path, or a name.")] = AUTO,
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
    labels: Annotated[Path | None, option(_WHAT, "Replay these labels as grades.")] = None,
    category: Annotated[str | None, option(_WHAT, "Only leaves of this category.")] = None,
    allow_empty: Annotated[
        bool, option(_WHAT, "Grade even an empty submission.", "--allow-empty")
    ] = False,
    sandbox: Annotated[
        str,
        option(_RUN, "docker, local (NOT isolated), none, or auto: docker if it answers."),
    ] = AUTO,
    engine: run_options.Engine = None,
    recipe: run_options.Recipe = None,
    network: run_options.NetworkPolicy = None,
    gpus: run_options.Gpus = None,
    time_limit: run_options.TimeLimit = None,
    memory: run_options.Memory = None,
    env_file: run_options.EnvFile = None,
    rerun: run_options.Rerun = False,
    executed: Annotated[
        bool, option(_RUN, "The submission was run elsewhere already.", "--executed")
    ] = False,
    log: Annotated[
        Path | None, option(_RUN, "Log of that run; its reproduce.log by default.")
    ] = None,
    agent_log: Annotated[
        Path | None,
        option(_RUN, "Log of the agent that made it, for the monitor.", metavar="FILE"),
    ] = None,
    monitor_model: Annotated[
        str | None, option(_WHAT, "Have this model read the agent's log for the monitor.")
    ] = None,
    outputs: Annotated[
        list[str] | None, option(_RUN, "Glob of what a run should produce; may be repeated.")
    ] = None,
    runs: Annotated[Path | None, option(_OUTPUT, "Folder for runs, ./runs by default.")] = None,
    paperbench: Annotated[
        Path | None, option(_OUTPUT, "Also write PaperBench's grader_output.json here.")
    ] = None,
    fail_under: Annotated[
        float | None, _share("Exit 1 if the low end of the score is under this.")
    ] = None,
    min_coverage: Annotated[float | None, _share("Exit 1 if less of the weight is graded.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Grade a submission and print where its points went."""
    from rubric_engine.case import Case
    from rubric_engine.cli import inputs, locate
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.grading import Grading
    from rubric_engine.cli.monitor_watch import Watch
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.sandboxing import Wanted, gpu_ids, spec_with
    from rubric_engine.cli.settling import box_for, choice
    from rubric_engine.connection import Spending

    inputs.check_flags(sandbox, executed=executed, log=log, labels=labels, judge=judge)
    inputs.check_target(paperbench)
    found = locate.find_task(submission, task=task, rubric=rubric, paper=paper)
    found = inputs.narrowed(found, category, outputs)
    wanted = Wanted(sandbox, engine, recipe, gpu_ids(gpus), network, time_limit, memory, env_file)
    spec = spec_with(found.spec, wanted)
    case = Case(
        found, *inputs.take_in(submission, found, log, executed=executed, allow_empty=allow_empty)
    )
    settings = inputs.model_settings(
        model, base_url, context_window, max_wait=max_wait, max_connections=max_connections
    )
    folder = locate.runs_folder(runs, submission)
    chosen = choice(judge, labels, found, submission, settings, dry=dry_run)
    watch = Watch.of(agent_log, monitor_model, settings)
    silent, line = quiet or as_json, RunLine()
    box = box_for(wanted, submission, case, chosen, line)
    if not silent:
        inputs.announce(found, str(submission), case.submission, chosen, box, spec.network)
    spending = Spending(max_cost, max_tokens, fresh, retry_failed)
    grading = Grading(
        case, chosen, settings, box.sandbox, spec, rerun, spending, folder, line, watch
    )
    if dry_run:
        print_foresight(grading.foresight(), as_json=as_json, remark=chosen.why)
        return 0
    agreed = yes or max_cost is not None
    grading.confirm(above=None if agreed else confirm_above, silent=silent)
    inputs.warn(box)
    report = grading.carry_out(silent=silent)
    gates = failed_gates(report, fail_under=fail_under, min_coverage=min_coverage)
    return _deliver(
        report, gates, submission, paperbench, quiet=quiet, as_json=as_json, why=chosen.why
    )


def _deliver(
    report: Report, gates: tuple[str, ...], submission: Path, paperbench: Path | None, **how: Any
) -> int:
    """Write what is asked for beside the run, and print the result."""
    from rubric_engine.cli.inputs import write
    from rubric_engine.cli.report_page import keep_page

    keep_page(report, submission)
    if paperbench is not None:
        write(paperbench, report.to_paperbench())
    code = exit_code(report, gates)
    print_report(report, code, gates, **how)
    return code
