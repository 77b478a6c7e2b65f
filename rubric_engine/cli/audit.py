"""`rubric-engine audit`: what humans would give a run, from labels on a few of its leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli import audit_benchmark
from rubric_engine.cli.audit_benchmark import Json, Labels, Runs, Seed, Seen

app = typer.Typer(
    help="What humans would give a run, by labels of a few leaves.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(audit_benchmark.app, name="benchmark")

Run = Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")]


@app.callback()
def _audit() -> None:
    """What humans would give a run, by labels of a few leaves."""


@app.command("plan")
def plan(
    run: Run,
    labels: Labels = 40,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File of the plan; by default in the run's folder."),
    ] = None,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Draw the leaves that a human should check.

    Chances are in proportion to worth. The draw is kept, and never written over.
    """
    from rubric_engine.cli.audit_plan_words import plan_document, plan_lines
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.judgeeval.auditing import AuditedRun
    from rubric_engine.judgeeval.kept_plan import PLAN
    from rubric_engine.judgeeval.planned_audit import planned
    from rubric_engine.runs import find_run

    found = AuditedRun.of(find_run(run, run_bases(runs)))
    made = planned([found], labels, seed, output or found.path / PLAN)
    if as_json:
        print_json(plan_document(made))
    else:
        show(*plan_lines(made, own_place=output is None))


@app.command("score")
def score(
    run: Run,
    labels: Annotated[
        Path | None,
        typer.Argument(help="The labels; by default the lines that `audit plan` wrote."),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="File of the plan; by default the one in the run's folder."),
    ] = None,
    transport: Annotated[
        list[Path] | None,
        typer.Option(
            help="Also correct by this judge's error rates in a folder that `judgeeval run` made;"
            " they seldom carry over. May be given again.",
            metavar="RESULT",
        ),
    ] = None,
    seen: Seen = False,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Say what humans would give the run.

    Every leaf that the plan drew needs a verdict; the score comes with an interval.
    """
    from rubric_engine.cli.audit_score_words import score_document, score_lines
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.judgeeval.audit_transport import corrected_elsewhere
    from rubric_engine.judgeeval.kept_plan import PLAN
    from rubric_engine.judgeeval.planned_audit import scored_run
    from rubric_engine.judgeeval.results import load_evaluation
    from rubric_engine.runs import find_run

    path = find_run(run, run_bases(runs))
    found = scored_run(path, plan or path / PLAN, labels, seen=seen)
    results = [str(folder) for folder in transport or []]
    known = [load_evaluation(folder) for folder in results]
    elsewhere = corrected_elsewhere(found.runs[0], known) if known else None
    if as_json:
        print_json(score_document(found, elsewhere, results))
    else:
        show(*score_lines(found, elsewhere, results))
