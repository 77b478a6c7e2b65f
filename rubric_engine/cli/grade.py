"""`rubric-engine grade`: the main thing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import pay_options, run_options
from rubric_engine.cli.choosing import AUTO
from rubric_engine.cli.options import finite
from rubric_engine.cli.outcome import exit_code

if TYPE_CHECKING:
    from rubric_engine.case import Case
    from rubric_engine.cli.choosing import Choice
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.connection import Spending
    from rubric_engine.result import Report

_WHAT = "What is graded"
_RUN = run_options.PANEL
_OUTPUT = "Output and gates"


def _option(panel: str, help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def _share(help: str) -> Any:
    return _option(_OUTPUT, help, metavar="PERCENT", min=0, max=100, callback=finite)


def grade(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    task: Annotated[
        str | None, _option(_WHAT, "Task: a folder, or a name such as heavy-ball.")
    ] = None,
    rubric: Annotated[Path | None, _option(_WHAT, "Rubric, in place of a task.")] = None,
    paper: Annotated[Path | None, _option(_WHAT, "Text of the paper.")] = None,
    judge: Annotated[str, _option(_WHAT, "Judge: a card's path, or a name.")] = AUTO,
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
    labels: Annotated[Path | None, _option(_WHAT, "Replay these labels as grades.")] = None,
    category: Annotated[str | None, _option(_WHAT, "Only leaves of this category.")] = None,
    allow_empty: Annotated[
        bool, _option(_WHAT, "Grade even an empty submission.", "--allow-empty")
    ] = False,
    sandbox: Annotated[
        str,
        _option(_RUN, "docker, local (NOT isolated), none, or auto: docker if it answers."),
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
        bool, _option(_RUN, "The submission was run elsewhere already.", "--executed")
    ] = False,
    log: Annotated[
        Path | None, _option(_RUN, "Log of that run; its reproduce.log by default.")
    ] = None,
    outputs: Annotated[
        list[str] | None, _option(_RUN, "Glob of what a run should produce; may be repeated.")
    ] = None,
    runs: Annotated[Path | None, _option(_OUTPUT, "Folder for runs, ./runs by default.")] = None,
    paperbench: Annotated[
        Path | None, _option(_OUTPUT, "Also write PaperBench's grader_output.json here.")
    ] = None,
    fail_under: Annotated[
        float | None, _share("Exit 1 if the low end of the score is under this.")
    ] = None,
    min_coverage: Annotated[float | None, _share("Exit 1 if less of the weight is graded.")] = None,
    quiet: Annotated[bool, _option(_OUTPUT, "Print one line.", "--quiet", "-q")] = False,
    as_json: Annotated[bool, _option(_OUTPUT, "Print one JSON document.", "--json")] = False,
) -> int:
    """Grade a submission and print where its points went."""
    from rubric_engine.case import Case
    from rubric_engine.cli.consent import ask
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.inputs import (
        announce,
        check_flags,
        check_target,
        model_settings,
        narrowed,
        take_in,
        warn,
        write,
    )
    from rubric_engine.cli.locate import find_task, runs_folder
    from rubric_engine.cli.outcome import failed_gates, print_report
    from rubric_engine.cli.report_page import keep_page
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.sandboxing import Wanted, gpu_ids, spec_with
    from rubric_engine.cli.settling import box_for, choice, foreseen_run
    from rubric_engine.dry_run import foresee

    check_flags(sandbox, executed=executed, log=log, labels=labels, judge=judge)
    check_target(paperbench)
    found = find_task(submission, task=task, rubric=rubric, paper=paper)
    found = narrowed(found, category, outputs)
    wanted = Wanted(sandbox, engine, recipe, gpu_ids(gpus))
    spec = spec_with(
        found.spec,
        network=network,
        gpus=wanted.gpus,
        time_limit=time_limit,
        memory=memory,
        env_file=env_file,
    )
    handed_in, execution = take_in(
        submission, found, log, executed=executed, allow_empty=allow_empty
    )
    settings = model_settings(
        model, base_url, context_window, max_wait=max_wait, max_connections=max_connections
    )
    folder = runs_folder(runs, submission)
    spending = _spending(max_cost, max_tokens, fresh=fresh, retry_failed=retry_failed)
    chosen = choice(judge, labels, found, submission, settings, dry=dry_run)
    silent, line = quiet or as_json, RunLine()
    box = box_for(wanted, submission, Case(found, handed_in, execution), chosen, line)
    if not silent:
        announce(found, str(submission), handed_in, chosen, box, spec.network)
    case, agreed = Case(found, handed_in, execution), yes or max_cost is not None
    if dry_run or (chosen.candidate.models and not (silent and agreed)):
        run = execution or foreseen_run(box.sandbox, handed_in, spec, folder, rerun=rerun)
        foresight = foresee(
            chosen.candidate, replace(case, execution=run), runs=folder, spending=spending
        )
        if dry_run:
            print_foresight(foresight, as_json=as_json, remark=chosen.why)
            return 0
        ask(foresight, above=None if agreed else confirm_above, silent=silent)
    warn(box)
    report = _grade(
        case,
        chosen,
        silent=silent,
        spending=spending,
        line=line,
        sandbox=box.sandbox,
        spec=spec,
        rerun=rerun,
        model=settings,
        folder=folder,
    )
    keep_page(report, submission)
    if paperbench is not None:
        write(paperbench, report.to_paperbench())
    gates = failed_gates(report, fail_under=fail_under, min_coverage=min_coverage)
    code = exit_code(report, gates)
    print_report(report, code, gates, quiet=quiet, as_json=as_json, why=chosen.why)
    return code


def _grade(
    case: Case,
    chosen: Choice,
    *,
    silent: bool,
    spending: Spending,
    folder: Path,
    line: RunLine,
    **more: Any,
) -> Report:
    """Grade into a new run, and show how it goes where it takes its time and somebody looks."""
    from contextlib import ExitStack

    from rubric_engine import engine
    from rubric_engine.cli.failure import interrupting
    from rubric_engine.cli.progress import shown
    from rubric_engine.cli.watched import Watched
    from rubric_engine.rundir import new_run_name

    task, run_dir = case.task, folder / new_run_name(case.task.name)
    watched = Watched(task.name, task.view, spending.max_cost)
    with interrupting(run_dir), ExitStack() as seen:
        if chosen.candidate.models and not silent:
            watched.running = line.text if more["sandbox"] is not None else None
            seen.enter_context(shown(watched))
        elif more["sandbox"] is not None and not silent:
            seen.enter_context(line.shown())
        return engine.grade(
            task,
            case.submission,
            judge=chosen.judge,
            execution=case.execution,
            spending=replace(spending, watch=watched.connected),
            run_dir=run_dir,
            on_grade=watched.on_grade,
            **more,
        )


def _spending(
    max_cost: float | None, max_tokens: int | None, *, fresh: bool, retry_failed: bool
) -> Spending:
    from rubric_engine.connection import Spending

    return Spending(max_cost, max_tokens, fresh, retry_failed)
