"""`rubric-engine resume`: go on with a run that was stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli.options import finite

if TYPE_CHECKING:
    from rubric_engine.connection import Spending
    from rubric_engine.past import Past
    from rubric_engine.result import Report


def resume(
    run: Annotated[
        str | None,
        typer.Argument(
            help="A run: its path, the end of its name, or latest; the newest that was stopped by "
            "default."
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            help="Hard cap over all resumes, in place of the run's.",
            metavar="DOLLARS",
            min=0,
            callback=finite,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Hard cap on tokens, in place of the run's.", min=1)
    ] = None,
    confirm_above: Annotated[
        float,
        typer.Option(
            help="Ask before spending more, where no cap holds.",
            metavar="DOLLARS",
            min=0,
            callback=finite,
        ),
    ] = 5.0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Spend without asking.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again where a call failed.")
    ] = False,
    env_file: Annotated[
        Path | None,
        typer.Option(help="Variables for the script, if the run had any.", metavar="FILE"),
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print one line.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Go on with a run that was stopped, paying only for what is missing."""
    from rubric_engine.cli.env_file import read_env_file
    from rubric_engine.cli.inputs import warn
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.outcome import exit_code, print_report
    from rubric_engine.cli.report_page import keep_page
    from rubric_engine.cli.sandboxing import Box
    from rubric_engine.past import read_past
    from rubric_engine.runs import find_run, newest_unfinished

    bases = run_bases(runs)
    path = newest_unfinished(bases) if run is None else find_run(run, bases)
    past, silent = read_past(path), quiet or as_json
    spending = _spending(past, max_cost, max_tokens, retry_failed=retry_failed)
    variables = read_env_file(env_file) if env_file is not None else {}
    if not silent:
        _announce(past, spending)
    pays = False
    if not past.is_finished(retry_failed=retry_failed):
        warn(Box(past.box()))
        agreed = yes or spending.max_cost is not None
        above = None if agreed else confirm_above
        pays = _ask(past, spending, variables, above=above, silent=silent)
    report = _resume(past, spending, variables, shows=pays and not silent)
    keep_page(report)
    code = exit_code(report)
    print_report(report, code, (), quiet=quiet, as_json=as_json)
    return code


def _spending(
    past: Past, max_cost: float | None, max_tokens: int | None, *, retry_failed: bool
) -> Spending:
    """The run's own limits, but for those that are given now."""
    from rubric_engine.past import spending_of

    own = spending_of(past.inputs)
    return replace(
        own,
        max_cost=own.max_cost if max_cost is None else max_cost,
        max_tokens=own.max_tokens if max_tokens is None else max_tokens,
        retry_failed=retry_failed,
    )


def _announce(past: Past, spending: Spending) -> None:
    """Say on stderr what is gone on with, and how much of it is done."""
    from rubric_engine.cli.output import leaves, note, printable

    kept = len(past.standing(retry_failed=spending.retry_failed))
    left = len(past.task.view.leaves()) - kept
    note(f"{'resuming':11} {printable(str(past.path))}   {leaves(kept)} kept, {left:,} to do")


def _ask(
    past: Past,
    spending: Spending,
    secrets: Mapping[str, str],
    *,
    above: float | None,
    silent: bool,
) -> bool:
    """Say what the rest may cost, and get a person's word where nobody has given it.

    Returns:
        Whether a model will be asked.
    """
    from rubric_engine.candidate import kept_candidate, kept_reader
    from rubric_engine.case import Case
    from rubric_engine.cli.consent import ask
    from rubric_engine.cli.monitor_watch import with_reader
    from rubric_engine.cli.settling import foreseen_run
    from rubric_engine.dry_run import foresee
    from rubric_engine.kept.inputs import JUDGE
    from rubric_engine.models.credentials import find_key

    candidate, reader = kept_candidate(past.path / JUDGE), kept_reader(past.path / JUDGE)
    models = [*candidate.models, *([reader.settings.model] if reader is not None else [])]
    for config in models:
        find_key(config)
    if models and not (silent and above is None):
        folder = past.path.resolve().parent
        settings = past.inputs.settings.model_copy(update={"secrets": secrets})
        execution = past.execution or foreseen_run(past.box(), past.handed_in, settings, folder)
        case = Case(past.task, past.handed_in, execution)
        foresight = foresee(
            candidate,
            case,
            runs=folder,
            spending=spending,
            standing=past.standing(retry_failed=spending.retry_failed),
        )
        log = past.inputs.agent_log(past.path)
        foresight = with_reader(foresight, reader, log, case, folder, spending)
        ask(foresight, above=above, silent=silent)
    return bool(models)


def _resume(past: Past, spending: Spending, secrets: Mapping[str, str], *, shows: bool) -> Report:
    """Go on, and show how it goes where a model is asked and somebody looks."""
    from rubric_engine import resuming
    from rubric_engine.cli.failure import interrupting
    from rubric_engine.cli.progress import shown_if
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.watched import Watched

    standing = past.standing(retry_failed=spending.retry_failed)
    watched = Watched(past.task.name, past.task.view, spending.max_cost, standing)
    line = RunLine()
    watched.running = line.text if past.sandbox is not None else None
    with interrupting(past.path), shown_if(shows, watched):
        return resuming.resume(
            past,
            spending=replace(spending, watch=watched.connected),
            retry_failed=spending.retry_failed,
            on_grade=watched.on_grade,
            secrets=secrets,
            tell=line.tell,
        )
