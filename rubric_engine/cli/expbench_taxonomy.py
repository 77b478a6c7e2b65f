"""`rubric-engine expbench taxonomy`: why leaves of answers failed, by causes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli import options, pay_options

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench.taxonomy import Taxonomy

REMARK = "the second pass is priced with insights of 30 words each"


def taxonomy(
    results: Annotated[Path, typer.Argument(help="Folder of the results of `grade`.")],
    model: pay_options.Model = None,
    base_url: pay_options.BaseUrl = None,
    max_connections: pay_options.MaxConnections = None,
    max_wait: pay_options.MaxWait = None,
    max_cost: pay_options.MaxCost = None,
    max_tokens: pay_options.MaxTokens = None,
    dry_run: pay_options.DryRun = False,
    confirm_above: pay_options.ConfirmAbove = 5.0,
    yes: pay_options.Yes = False,
    fresh: pay_options.Fresh = False,
    retry_failed: pay_options.RetryFailed = False,
    runs: Annotated[
        Path, typer.Option("--runs", help="Folder of the ledger of paid calls.")
    ] = Path("runs"),
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the table as CSV.")
    ] = None,
    as_json: options.Json = False,
) -> int:
    """Have a model say why leaves failed, and sort that by causes."""
    from rubric_engine.benchmarks.expbench.grading.results import load_exp_results
    from rubric_engine.benchmarks.expbench.taxonomy import find_taxonomy
    from rubric_engine.benchmarks.expbench.taxonomy.failures import failures
    from rubric_engine.benchmarks.expbench.taxonomy.foreseeing import foresee_taxonomy
    from rubric_engine.cli.consent import ask
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.connection import Spending
    from rubric_engine.errors import UsageError

    if model is None:
        raise UsageError("which model is asked?", fix=["--model NAME"])
    graded = load_exp_results(results)
    pace = {"max_wait": max_wait, "max_connections": max_connections}
    settings = model_settings(model, base_url, None, **pace)
    spending = Spending(max_cost, max_tokens, fresh, retry_failed)
    agreed = yes or max_cost is not None
    if dry_run or not (as_json and agreed):
        foresight = foresee_taxonomy(graded, settings, runs=runs, spending=spending)
        if dry_run:
            print_foresight(foresight, as_json=as_json, remark=REMARK)
            return 0
        if failures(graded):
            ask(foresight, above=None if agreed else confirm_above, silent=as_json)
    found = find_taxonomy(graded, settings, runs=runs, spending=spending)
    return _deliver(found, results if results.is_dir() else results.parent, csv, as_json=as_json)


def _deliver(found: Taxonomy, folder: Path, csv: Path | None, *, as_json: bool) -> int:
    """Write what is asked for, print the result, and return the exit code."""
    from rubric_engine.benchmarks.expbench.taxonomy.writing import keep_taxonomy, rows_csv
    from rubric_engine.cli.failure import EXIT_INCOMPLETE
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.replacing import replace_text

    place = keep_taxonomy(found, folder)
    if csv is not None:
        replace_text(csv, rows_csv(found))
    code = EXIT_INCOMPLETE if found.unknown else 0
    if as_json:
        rows = [row._asdict() for row in found.rows()]
        more = {"rows": rows, "unknown": found.unknown, "result": str(place), "exit_code": code}
        print_json({"ok": code == 0, **plain(found), **more})
    else:
        _show(found, place)
    return code


def _show(found: Taxonomy, place: Path) -> None:
    from collections import Counter

    from rubric_engine.benchmarks.expbench.taxonomy.values import UNKNOWN
    from rubric_engine.cli.output import counted, fill, note, percent, printable, show, table
    from rubric_engine.cli.short_names import short_names

    names = short_names((row.cause for row in found.rows()), 44)
    rows = [
        [
            printable(row.category, 16),
            names[row.cause],
            str(row.failures),
            percent(row.share),
        ]
        for row in found.rows()
    ]
    unknown = f", {found.unknown} of them unknown" if found.unknown else ""
    show(f"{counted(len(found.failures), 'failure')}{unknown}   model {printable(found.model)}")
    if rows:
        show("", fill(table("<category", "<cause", "failures", "share"), rows), "")
        show("share: of the failures of the category")
    show(*(f"{printable(cause.name)}: {printable(cause.says)}" for cause in found.causes))
    show(f"result  {printable(str(place))}")
    if found.unknown:
        whys = Counter(leaf.why for leaf in found.failures if leaf.cause == UNKNOWN)
        note(f"unknown: {', '.join(f'{printable(why)} ({n})' for why, n in whys.most_common())}")
        note("--retry-failed asks again what got no readable reply, --fresh asks everything again")
