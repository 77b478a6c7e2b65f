"""`rubric-engine expbench report`: the table of a grading, also under another tau."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli import options


def report(
    results: Annotated[Path, typer.Argument(help="results.json, or the folder that holds it.")],
    tau: Annotated[
        float | None,
        typer.Option("--tau", min=0.01, max=1, help="Share of its leaves from which a part holds."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option("--runs", help="Folder of its runs, where it is not where it was."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Print the table of a grading, after what people decided by now; nothing is graded."""
    from rubric_engine.benchmarks.expbench.grading.deciding import decided_anew
    from rubric_engine.benchmarks.expbench.grading.results import load_exp_results
    from rubric_engine.benchmarks.expbench.grading.summary import summarise
    from rubric_engine.cli.expbench_tables import document, tables, write_figures
    from rubric_engine.cli.output import counted, note, print_json, printable, show

    kept = load_exp_results(results)
    tau = kept.tau if tau is None else tau
    found, gone = decided_anew(kept, runs or Path(kept.runs))
    summary = summarise(found.answers, tau)
    if csv is not None:
        write_figures(found, tau, csv)
    if as_json:
        print_json(document(found, summary) | {"runs_gone": gone, "exit_code": 0})
        return
    show(*tables(found, summary))
    if gone:
        place = printable(str(runs or kept.runs))
        note(f"{counted(gone, 'run')} not in {place}: what people decided there is not known")
        note("--runs DIR says where they are")
