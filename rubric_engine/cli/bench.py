"""`rubric-engine bench`: agents on sets of tasks."""

from __future__ import annotations

import typer

from rubric_engine.cli import bench_report, bench_run

app = typer.Typer(
    help="Agents on sets of tasks: ask, judge, and tell how they did.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("run")(bench_run.run)
app.command("report")(bench_report.report)
