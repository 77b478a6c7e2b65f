"""`rubric-engine runs`: the runs that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.result import Report
    from rubric_engine.runs import KeptRun

_NAME = 22
"""Characters of a run's name in a list of 80 columns."""

app = typer.Typer(help="Runs that are kept.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _runs() -> None:
    """Runs that are kept."""


@app.command("list")
def list_runs(
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List runs, the newest last."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import fill, note, print_json, show, table
    from rubric_engine.runs import runs_in

    kept = runs_in(run_bases(runs))
    if as_json:
        print_json({"ok": True, "runs": [_plain(run) for run in kept], "exit_code": 0})
        return
    if not kept:
        note("no runs yet   next: rubric-engine grade SUBMISSION --task TASK")
        return
    grid = table("<run", "<status", "<score", "cover", "cost", "<judge")
    show(fill(grid, map(_cells, kept)), *_next_lines(kept))
    if any(not run.ours for run in kept):
        note("(not yours) was not made by you; a path reads it, its name and `latest` do not")


@app.command("info")
def info(
    run: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what a run is: status, score, judge, hashes, versions, and what it has cost."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.report import report_so_far
    from rubric_engine.runs import find_run, kept_run

    kept = kept_run(find_run(run, run_bases(runs)))
    report = report_so_far(kept)
    if as_json:
        facts = {name: value for name, value in kept.facts.items() if name != "seal"}
        more = {"cost": dict(report.cost), "facts": facts, "resumable": kept.is_resumable}
        print_json({"ok": True, **_plain(kept), **more, "exit_code": 0})
    else:
        show(*_info_lines(kept, report))


@app.command("rm")
def remove(
    names: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Runs: paths, ends of names, or latest.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Remove runs of yours; what they paid for stays until `cache prune`."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, printable, say
    from rubric_engine.runs import find_run
    from rubric_engine.trash import remove_run, require_ours

    bases = run_bases(runs)
    paths = list(dict.fromkeys(require_ours(find_run(name, bases)).path for name in names))
    if not yes:
        _confirm([printable(str(path)) for path in paths])
    for path in paths:
        remove_run(path)
        if not as_json:
            say(f"removed {printable(str(path))}")
    if as_json:
        print_json({"ok": True, "removed": [str(path) for path in paths], "exit_code": 0})


def _next_lines(kept: list[KeptRun]) -> Iterator[str]:
    """The commands that go on with the newest run that was stopped, and with what failed."""
    from rubric_engine.cli.going_on import going_on
    from rubric_engine.cli.output import leaves, printable
    from rubric_engine.errors import RunError
    from rubric_engine.runs import load_report

    begun = [run for run in kept if not run.is_part]  # the command of a larger run goes on with it
    stopped = [run for run in begun if run.is_unfinished]
    failed = [run for run in begun if _failed(run) and run.is_resumable]
    for runs, which in ((stopped, "stopped"), (failed, "failed")):
        if runs:
            newest = runs[-1]
            told = f"{leaves(_failed(newest))} failed" if which == "failed" else "it was stopped"
            more = f", the newest of {len(runs)}" if len(runs) > 1 else ""
            yield f"{newest.path.name}: {told}{more}"
            with suppress(RunError):  # a damaged run is listed all the same
                again = going_on(load_report(newest.path), stopped=newest.is_unfinished)
                yield from (f"next    {printable(line)}" for line in again)


def _failed(run: KeptRun) -> int:
    """Leaves of a finished run whose call failed; asking again may help."""
    failed = run.facts.get("failed")
    return failed if isinstance(failed, int) and run.status == "done" else 0


def _confirm(paths: list[str]) -> None:
    from rubric_engine.cli.consent import is_asked, says_yes
    from rubric_engine.errors import UsageError

    what = paths[0] if len(paths) == 1 else f"{len(paths)} runs ({', '.join(paths)})"
    if not is_asked():
        raise UsageError(f"removing {what} needs --yes where nobody can be asked")
    if not says_yes(f"Remove {what}? [y/N] "):
        raise UsageError("you did not say yes, so nothing was removed", code="E004")


def _info_lines(run: KeptRun, report: Report) -> Iterator[str]:
    from rubric_engine.cli.costs import cost_lines
    from rubric_engine.cli.going_on import going_on
    from rubric_engine.cli.output import printable
    from rubric_engine.cli.ran import log_lines
    from rubric_engine.cli.summary import quiet_line

    facts = run.facts
    yield f"run         {printable(str(run.path))}" + ("" if run.ours else "   (not yours)")
    yield f"status      {printable(run.status)}, started {printable(run.started)}"
    yield f"score       {printable(quiet_line(replace(report, run=None)))}"
    for name, value in _named(facts):
        yield f"{name:11} {printable(str(value))}"
    if "attempts" in report.cost:
        yield f"requests    {report.cost['attempts']:,.0f} sent to a model, retries included"
    below = (*log_lines(report), *cost_lines(report.cost))
    yield from (f"{line[:8]:12}{line[8:]}" for line in below)
    if report.stopped is not None:
        yield f"stopped     {report.stopped.code} {printable(report.stopped.message)}"
    if run.is_resumable:
        again = going_on(report, stopped=run.is_unfinished)
        yield from (f"next        {printable(line)}" for line in again)


def _named(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The facts for a person: plain ones, and of the others what tells runs apart."""
    from rubric_engine.cli.ran import ran_word
    from rubric_engine.submission_names import called_in

    yield "task", facts.get("task")
    yield "mode", f"{facts.get('mode')}   (the task's word for this way of grading)"
    named = repr(called_in(facts))
    known = facts.get("submission_sha256")
    yield "submission", f"{named}   sha {known}" if known else named
    judge = facts.get("judge")
    if isinstance(judge, dict):
        yield "judge", f"{judge.get('name')} {judge.get('kind')}   sha {judge.get('fingerprint')}"
    for name in ("rubric", "paper"):
        if facts.get(f"{name}_sha256"):
            yield name, f"sha {facts[f'{name}_sha256']}"
    execution, versions = facts.get("execution"), facts.get("versions")
    if isinstance(execution, dict):
        yield "execution", ran_word(execution) or execution.get("status")
    if isinstance(versions, dict):
        yield "versions", ", ".join(f"{name} {number}" for name, number in versions.items())


def _plain(run: KeptRun) -> dict[str, Any]:
    from rubric_engine.report import paid, score_so_far

    names = ("task", "mode", "started")
    score = score_so_far(run)
    return {
        "run": str(run.path),
        "status": run.status,
        "ours": run.ours,
        "failed": _failed(run),
        "judge": _judge(run),
        "score": score.model_dump(exclude={"sd"}) if score else None,
        "usd": paid(run).get("usd"),
    } | {name: str(run.facts.get(name, "")) for name in names}


def _cells(run: KeptRun) -> list[str]:
    from rubric_engine.cli.output import percent, printable, span
    from rubric_engine.report import paid, score_so_far
    from rubric_engine.spending.cost_words import dollars

    score, cost = score_so_far(run), paid(run)
    figures = [span(score), percent(score.coverage)] if score else ["-", "-"]
    status = f"{run.status}, {_failed(run)} failed" if _failed(run) else run.status
    status += "" if run.ours else " (not yours)"
    return [
        _end_of(printable(run.path.name)),
        printable(status, 22),
        *figures,
        dollars(cost) if cost else "-",
        printable(_judge(run) or "-", 12),
    ]


def _end_of(name: str) -> str:
    """A run's name, or the end of a long one: by that it is found, and told from others."""
    return name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"


def _judge(run: KeptRun) -> str | None:
    judge = run.facts.get("judge")
    return str(judge.get("name")) if isinstance(judge, dict) else None
