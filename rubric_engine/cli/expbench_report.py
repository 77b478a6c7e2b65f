"""`rubric-engine expbench report`: the table of a grading, also under another tau."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    results: Annotated[Path, typer.Argument(help="results.json, or the folder that holds it.")],
    tau: Annotated[
        float | None,
        typer.Option("--tau", min=0.01, max=1, help="Share of its leaves from which a part holds."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print the table of a grading; nothing is graded."""
    from rubric_engine.benchmarks.expbench.grading.results import load_exp_results
    from rubric_engine.benchmarks.expbench.grading.summary import summarise
    from rubric_engine.cli.expbench_tables import document, tables, write_figures
    from rubric_engine.cli.output import print_json, show

    found = load_exp_results(results)
    summary = summarise(found.answers, found.tau if tau is None else tau)
    if csv is not None:
        write_figures(summary, csv)
    if as_json:
        print_json(document(found, summary) | {"exit_code": 0})
    else:
        show(*tables(found, summary))
