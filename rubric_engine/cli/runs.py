"""`rubric-engine runs`: the runs that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

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
    from rubric_engine.cli.output import console, print_json, printable, table
    from rubric_engine.cli.places import run_bases

    rows = [row for base in run_bases(runs) for row in _rows(base)]
    if as_json:
        print_json({"ok": True, "runs": rows, "exit_code": 0})
        return
    if not rows:
        typer.echo("no runs yet   next: rubric-engine grade SUBMISSION --task TASK", err=True)
        return
    grid = table("<run", "<status", "<score", "cover", "<judge", wide="run")
    for row in rows:
        grid.add_row(*(printable(str(row[name])) for name in ("run", "status")), *_figures(row))
    console().print(grid)


def _rows(base: Path) -> list[dict[str, Any]]:
    from rubric_engine.errors import RunError
    from rubric_engine.rundir import read_json, runs_in

    rows = []
    for run in runs_in(base):
        try:
            facts = read_json(run / "run.json")
        except RunError:
            facts = {"status": "unreadable"}
        names = ("status", "score", "task", "mode", "judge", "started")
        rows.append({"run": str(run)} | {name: facts.get(name) for name in names})
    return rows


def _figures(row: dict[str, Any]) -> list[str]:
    from rubric_engine.cli.output import percent, printable, span
    from rubric_engine.grading import Score

    judge = row["judge"] if isinstance(row["judge"], dict) else {}
    name = printable(str(judge.get("name", "-")), 16)
    if not isinstance(row["score"], dict):
        return ["-", "-", name]
    score = Score.model_validate(row["score"])
    return [span(score), percent(score.coverage), name]
