"""`rubric-engine runs`: the runs that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.runs import KeptRun

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
    grid = table("<run", "<status", "<score", "cover", "<judge")
    show(fill(grid, map(_cells, kept)))
    if any(not run.ours for run in kept):
        note("(not yours) was not made by you; a path reads it, its name and `latest` do not")


def _plain(run: KeptRun) -> dict[str, Any]:
    names = ("score", "task", "mode", "started")
    judge = run.facts.get("judge")
    return {
        "run": str(run.path),
        "status": run.status,
        "ours": run.ours,
        "judge": judge.get("name") if isinstance(judge, dict) else None,
    } | {name: run.facts.get(name) for name in names}


def _cells(run: KeptRun) -> list[str]:
    from rubric_engine.cli.output import percent, printable, span

    score = run.score
    figures = [span(score), percent(score.coverage)] if score else ["-", "-"]
    status = run.status if run.ours else f"{run.status} (not yours)"
    judge = _plain(run)["judge"] or "-"
    return [
        printable(run.path.name, 36),
        printable(status, 22),
        *figures,
        printable(str(judge), 12),
    ]
