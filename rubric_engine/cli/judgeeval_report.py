"""`rubric-engine judgeeval report`: the table of judges."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rubric_engine.cli.judge_table_text import By

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Evaluation
    from rubric_engine.judgeeval.judge_table import Table


def report(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULT...", help="Folders of evaluations, or of such folders."),
    ],
    by: Annotated[By | None, typer.Option(help="Every submission or category, too.")] = None,
    figures: Annotated[
        Literal["main", "all"], typer.Option(help="The main figures, or every one.")
    ] = "main",
    plots: Annotated[Path | None, typer.Option(help="Draw the charts into this folder.")] = None,
    plot_format: Annotated[
        Literal["svg", "png", "pdf"], typer.Option(help="What charts are drawn as.")
    ] = "svg",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all of it as a page to look at.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(help="Folder of the judges' runs, for the page.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how far each judge agrees with humans, and how sure that is."""
    from rubric_engine.cli.evaluations import evaluations_in
    from rubric_engine.cli.judge_table_document import table_document
    from rubric_engine.cli.judge_table_text import print_table
    from rubric_engine.cli.output import print_json, printable, show
    from rubric_engine.judgeeval import table_of

    found = evaluations_in(results)
    table = table_of(list(found.values()))
    charts = _draw(found, table, plots, plot_format) if plots is not None else []
    if html is not None:
        _write_page(html, table, found, runs)
    if as_json:
        page = {"page": str(html)} if html is not None else {}
        print_json(table_document(table, found, charts) | page)
    else:
        print_table(table, found, by, charts, more=figures == "all")
        if html is not None:
            show(f"page    {printable(str(html))}")


def _write_page(
    path: Path, table: Table, found: Mapping[Path, Evaluation], runs: Path | None
) -> None:
    """Write the page: the table as it is printed, the charts, and the leaves behind each cell."""
    from rubric_engine.cli.judge_table_document import table_document
    from rubric_engine.cli.leaf_set_words import leaf_set_words
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.cli.report_page import write_page
    from rubric_engine.judgeeval.charts import draw_charts
    from rubric_engine.judgeeval.judge_table import unique_names
    from rubric_engine.judgeeval.leaf_texts import texts_of
    from rubric_engine.judgeeval.page_data import evaluation_page
    from rubric_engine.page import assemble
    from rubric_engine.report import Mask

    evaluations, bases = list(found.values()), run_bases(runs)
    texts = [texts_of(one, bases) for one in evaluations]
    judges = list(zip(unique_names(evaluations), evaluations, texts, strict=True))
    charts = draw_charts(evaluations, table=table)
    words = [leaf_set_words(leaves) for leaves in table.leaf_sets]
    page = evaluation_page(table_document(table, found), words, charts, judges)
    write_page(path, assemble(Mask().of(plain(page)), entry="evaluation", title="JudgeEval"))


def _draw(
    found: Mapping[Path, Evaluation],
    table: Table,
    folder: Path,
    form: Literal["svg", "png", "pdf"],
) -> list[Path]:
    from rubric_engine.judgeeval.charts import write_charts

    return write_charts(list(found.values()), folder, format=form, table=table)
