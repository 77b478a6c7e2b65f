"""`rubric-engine audit benchmark`: the mean score of many runs, from labels spread over them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="The same for the mean score of many runs.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Labels = Annotated[int, typer.Option(min=1, help="How many leaves to label.")]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, help="The same seed draws the same leaves.")
]
Runs = Annotated[Path | None, typer.Option(help="Folder of runs.")]
Seen = Annotated[
    bool, typer.Option("--seen", help="Take labels made with a judge's verdict in sight as well.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback()
def _benchmark() -> None:
    """The same for the mean score of many runs."""


@app.command("plan")
def plan(
    names: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Runs: paths, ends of names, or latest.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to keep the draw in.")],
    labels: Labels = 200,
    seed: Seed = 0,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Draw the leaves to check over all runs.

    They correct the mean score of the runs, and not each one's.
    """
    from rubric_engine.cli.audit_benchmark_words import benchmark_plan_lines
    from rubric_engine.cli.audit_plan_words import plan_document
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.judgeeval.auditing import AuditedRun
    from rubric_engine.judgeeval.kept_plan import PLAN
    from rubric_engine.judgeeval.planned_audit import planned
    from rubric_engine.runs import find_run

    bases = run_bases(runs)
    found = [AuditedRun.of(find_run(name, bases)) for name in names]
    made = planned(found, labels, seed, output / PLAN)
    if as_json:
        print_json(plan_document(made))
    else:
        show(*benchmark_plan_lines(made))


@app.command("score")
def score(
    folder: Annotated[Path, typer.Argument(help="The folder that `audit benchmark plan` made.")],
    labels: Annotated[
        Path | None, typer.Argument(help="The labels; by default the lines in that folder.")
    ] = None,
    seen: Seen = False,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Say what humans would give the runs in the mean."""
    from rubric_engine.cli.audit_benchmark_words import benchmark_score_lines
    from rubric_engine.cli.audit_score_words import score_document
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.judgeeval.kept_plan import PLAN
    from rubric_engine.judgeeval.planned_audit import scored_benchmark

    found = scored_benchmark(folder / PLAN, labels, run_bases(runs), seen=seen)
    if as_json:
        print_json(score_document(found))
    else:
        show(*benchmark_score_lines(found))
