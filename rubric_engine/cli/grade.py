"""`rubric-engine grade`: the main thing."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.choosing import AUTO, said_of_model
from rubric_engine.cli.outcome import exit_code

if TYPE_CHECKING:
    from rubric_engine.case import Case, Task
    from rubric_engine.cli.choosing import Choice
    from rubric_engine.connection import Spending
    from rubric_engine.isolation import Execution, Sandbox
    from rubric_engine.result import Report

_WHAT = "What is graded"
_PAY = "Judges that ask a model"
_RUN = "Running reproduce.sh"
_OUTPUT = "Output and gates"


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value


def _option(panel: str, help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def _share(help: str) -> Any:
    return _option(_OUTPUT, help, metavar="PERCENT", min=0, max=100, callback=_finite)


def grade(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    task: Annotated[
        str | None, _option(_WHAT, "Task: a folder, or a name such as heavy-ball.")
    ] = None,
    rubric: Annotated[Path | None, _option(_WHAT, "Rubric, in place of a task.")] = None,
    paper: Annotated[Path | None, _option(_WHAT, "Text of the paper.")] = None,
    judge: Annotated[str, _option(_WHAT, "Judge: a card's path, or a name.")] = AUTO,
    model: Annotated[
        str | None, _option(_PAY, "Model, in place of the card's.", "--model", "-m")
    ] = None,
    base_url: Annotated[
        str | None, _option(_PAY, "OpenAI-compatible endpoint, in place of the card's.")
    ] = None,
    max_cost: Annotated[
        float | None,
        _option(_PAY, "Hard cap, over all resumes.", metavar="DOLLARS", min=0, callback=_finite),
    ] = None,
    max_tokens: Annotated[
        int | None, _option(_PAY, "Hard cap on tokens, over all resumes.", min=1)
    ] = None,
    dry_run: Annotated[
        bool, _option(_PAY, "Print what it would cost, and send nothing.", "--dry-run")
    ] = False,
    confirm_above: Annotated[
        float,
        _option(_PAY, "Ask before spending more.", metavar="DOLLARS", min=0, callback=_finite),
    ] = 5.0,
    yes: Annotated[bool, _option(_PAY, "Spend without asking.", "--yes", "-y")] = False,
    fresh: Annotated[bool, _option(_PAY, "Ask again for what was answered.", "--fresh")] = False,
    retry_failed: Annotated[
        bool, _option(_PAY, "Ask again where a call failed.", "--retry-failed")
    ] = False,
    labels: Annotated[Path | None, _option(_WHAT, "Replay these labels as grades.")] = None,
    category: Annotated[str | None, _option(_WHAT, "Only leaves of this category.")] = None,
    allow_empty: Annotated[
        bool, _option(_WHAT, "Grade even an empty submission.", "--allow-empty")
    ] = False,
    sandbox: Annotated[str, _option(_RUN, "none, or local: run it here, NOT isolated.")] = "none",
    time_limit: Annotated[
        float | None,
        _option(_RUN, "Longest run.", metavar="SECONDS", min=0.001, callback=_finite),
    ] = None,
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
    from rubric_engine.cli.inputs import (
        announce,
        check_flags,
        check_target,
        declared,
        limits,
        narrowed,
        warn,
        write,
    )
    from rubric_engine.cli.locate import find_task, runs_folder
    from rubric_engine.cli.outcome import failed_gates, print_report
    from rubric_engine.sandbox import load_sandbox
    from rubric_engine.submission import load_submission

    check_flags(sandbox, executed=executed, log=log, labels=labels, judge=judge)
    check_target(paperbench)
    found = find_task(submission, task=task, rubric=rubric, paper=paper)
    found = narrowed(found, category, outputs)
    box = None if sandbox == "none" else load_sandbox(sandbox)
    handed_in = load_submission(submission, skip=found.skip, allow_empty=allow_empty)
    execution = declared(found, handed_in, log) if executed else None
    settings, folder = said_of_model(model, base_url), runs_folder(runs, submission)
    spending = _spending(max_cost, max_tokens, fresh=fresh, retry_failed=retry_failed)
    chosen = _choice(judge, labels, found, submission, settings, dry=dry_run)
    silent = quiet or as_json
    if not silent:
        announce(found, str(submission), handed_in, chosen)
    case = Case(found, handed_in, execution or _supposed(box))
    if dry_run:
        return _foretell(chosen, case, folder, spending, as_json=as_json)
    agreed = yes or max_cost is not None
    if chosen.candidate.models and not (silent and agreed):
        _ask(chosen, case, folder, spending, above=None if agreed else confirm_above, silent=silent)
    warn(box)
    report = _grade(
        replace(case, execution=execution),
        chosen,
        silent=silent,
        spending=spending,
        sandbox=box,
        limits=limits(found, time_limit),
        model=settings,
        folder=folder,
    )
    if paperbench is not None:
        write(paperbench, report.to_paperbench())
    gates = failed_gates(report, fail_under=fail_under, min_coverage=min_coverage)
    code = exit_code(report, gates)
    print_report(report, code, gates, quiet=quiet, as_json=as_json)
    return code


def _grade(
    case: Case, chosen: Choice, *, silent: bool, spending: Spending, folder: Path, **more: Any
) -> Report:
    """Grade into a new run, and show how it goes where a model is asked and somebody looks."""
    from contextlib import nullcontext

    from rubric_engine import engine
    from rubric_engine.cli import progress
    from rubric_engine.rundir import new_run_name

    task = case.task
    watched = progress.Watched(task.name, task.view, spending.max_cost)
    shows = bool(chosen.candidate.models) and not silent
    with progress.shown(watched) if shows else nullcontext():
        return engine.grade(
            task,
            case.submission,
            judge=chosen.judge,
            execution=case.execution,
            spending=replace(spending, watch=watched.connected),
            run_dir=folder / new_run_name(task.name),
            on_grade=watched.on_grade,
            **more,
        )


def _choice(
    name: str,
    labels: Path | None,
    task: Task,
    submission: Path,
    model: dict[str, str],
    *,
    dry: bool,
) -> Choice:
    from rubric_engine.cli.choosing import choose, replaying

    if labels is not None:
        return replaying(labels, task.rubric)
    return choose(name, submission, model, dry=dry)


def _spending(
    max_cost: float | None, max_tokens: int | None, *, fresh: bool, retry_failed: bool
) -> Spending:
    from rubric_engine.connection import Spending

    return Spending(max_cost, max_tokens, fresh, retry_failed)


def _supposed(box: Sandbox | None) -> Execution | None:
    """A run that ended well and left nothing, to foresee what leaves that need one would cost."""
    from rubric_engine.isolation import Execution

    return None if box is None else Execution(status="ok", exit_code=0)


def _foretell(
    chosen: Choice, case: Case, folder: Path, spending: Spending, *, as_json: bool
) -> int:
    """Print what the grading would take."""
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.dry_run import foresee

    foresight = foresee(chosen.candidate.judge, case, runs=folder, spending=spending)
    print_foresight(foresight, as_json=as_json, remark=chosen.why)
    return 0


def _ask(
    chosen: Choice,
    case: Case,
    folder: Path,
    spending: Spending,
    *,
    above: float | None,
    silent: bool,
) -> None:
    """Say what the grading may cost, and get a person's word where nobody has given it."""
    from rubric_engine.cli.consent import consent, estimate
    from rubric_engine.cli.output import note
    from rubric_engine.dry_run import foresee

    foresight = foresee(chosen.candidate.judge, case, runs=folder, spending=spending)
    if not silent:
        note(f"{'estimate':11} {estimate(foresight)}")
    if above is not None:
        consent(foresight, above=above)
