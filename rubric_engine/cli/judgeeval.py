"""`rubric-engine judgeeval`: how far a judge can be trusted."""

from __future__ import annotations

import typer

from rubric_engine.cli import judgeeval_compare, judgeeval_report, judgeeval_run

app = typer.Typer(
    help="How far a judge can be trusted, against human labels.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("run")(judgeeval_run.run)
app.command("report")(judgeeval_report.report)
app.command("compare")(judgeeval_compare.compare)
