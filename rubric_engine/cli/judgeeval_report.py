"""`rubric-engine judgeeval report`: the table of judges."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Calibration, Evaluation, LeafSet
    from rubric_engine.judgeeval.judge_table import Table

_MOST_NAMED = 4
"""Folders that a command to go on with names; of more it is told that they are the same again."""

By = Literal["submission", "category"]


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


def table_document(
    table: Table, found: Mapping[Path, Evaluation], charts: Sequence[Path] = ()
) -> dict[str, Any]:
    """The table as one JSON document.

    Args:
        table: The table.
        found: Its evaluations by folder.
        charts: Charts that were drawn.
    """
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.judgeeval import doubts

    places = {one.name: str(path) for path, one in found.items()}
    sets = [plain(_leaf_set(leaves)) for leaves in table.leaf_sets]
    for row in (row for leaves in sets for row in leaves["rows"]):
        row["result"] = places.get(row["name"]) if row["kind"] == "judge" else None
    return {
        "ok": True,
        "leaf_sets": sets,
        "warnings": [warning._asdict() for warning in doubts(table)],
        "charts": [str(path) for path in charts],
        "exit_code": 0,
    }


def _leaf_set(leaves: LeafSet) -> dict[str, Any]:
    from rubric_engine.cli.more_tables import calibrations

    repeats = [{"judges": names, "consistency": one} for names, one in leaves.repeats.items()]
    named = (
        "rows",
        "groups",
        "labels",
        "unlike",
        "front",
        "made_gold",
        "samples",
        "highest_mean",
        "one_class",
    )
    return {name: getattr(leaves, name) for name in named} | {
        "repeats": repeats,
        "calibration": {name: _short(one) for name, one in calibrations(leaves).items()},
    }


def _short(found: Calibration) -> dict[str, Any]:
    """A calibration without its curves, which have a point for each leaf."""
    areas = {"aurc": found.risk, "aurc_by_worth": found.risk_by_worth}
    return {
        "n": found.n,
        "without": found.without,
        "brier": found.brier,
        "ece": found.ece,
        "bins": found.bins,
        **{name: risk.aurc if risk else None for name, risk in areas.items()},
        "auroc": found.risk.auroc if found.risk else None,
        "why": found.why,
    }


def print_table(
    table: Table,
    found: Mapping[Path, Evaluation],
    by: By | None = None,
    charts: Sequence[Path] = (),
    *,
    more: bool = False,
    ending: Iterable[str] = (),
) -> None:
    """Print the table for a person.

    Args:
        table: The table.
        found: Its evaluations by folder.
        by: ``submission`` or ``category`` for more tables.
        charts: Charts that were drawn.
        more: Whether to show every figure that there is.
        ending: Lines on how measuring ended, before those on what to do next.
    """
    from rubric_engine.cli.leaf_set_text import leaf_set_parts
    from rubric_engine.cli.output import printable, show
    from rubric_engine.judgeeval import doubts
    from rubric_engine.judgeeval.table_warnings import UNRANKED

    for number, leaves in enumerate(table.leaf_sets):
        show(*leaf_set_parts(leaves, by, explained=number == 0, more=more), "")
    # What is not ranked is said below the table that marks it.
    known = (one for one in doubts(table) if one.code != UNRANKED)
    show(*(f"warning {one.code}  {printable(one.message)}" for one in known))
    show(*_results(found, charts), *ending, *_next(table, found, by))


def _results(found: Mapping[Path, Evaluation], charts: Sequence[Path]) -> Iterator[str]:
    """Where what stands in the table lies."""
    from rubric_engine.cli.output import printable
    from rubric_engine.cli.short_names import short_names

    shown = short_names((one.name for one in found.values()), 60)
    for path, one in found.items():
        yield f"result  {shown[one.name]}: {printable(str(path))}"
    if charts:
        yield f"charts  {printable(str(charts[-1]))}, and {len(charts) - 1} files beside it"


def _next(table: Table, found: Mapping[Path, Evaluation], by: By | None) -> Iterator[str]:
    """What to do next."""
    from rubric_engine.cli.output import printable

    yield from _going_on(found.values())
    if by is None and any(len(_submissions(leaves)) > 1 for leaves in table.leaf_sets):
        given = " ".join(map(_quoted, _given(list(found))))
        yield f"next    rubric-engine judgeeval report {printable(given)} --by submission"
    best = next(filter(None, map(_best_two, table.leaf_sets)), None)
    if best is not None:
        paths = {one.name: path for path, one in found.items()}
        pair = " ".join(shlex.quote(str(paths[name])) for name in best)
        yield f"next    rubric-engine judgeeval compare {printable(pair)}"


def _quoted(name: str) -> str:
    return name if name == "RESULT..." else shlex.quote(name)


def _going_on(evaluations: Iterable[Evaluation]) -> Iterator[str]:
    """What goes on with evaluations that are not complete; one command may go on with several."""
    from rubric_engine.cli.output import printable
    from rubric_engine.errors import BudgetError
    from rubric_engine.judgeeval import lacking

    capped: dict[str, bool] = {}
    for one in evaluations:
        if one.command is not None and lacking(one) is not None:
            stopped = one.exit_code == BudgetError.exit_code
            capped[one.command] = capped.get(one.command, False) or stopped
    for command, higher in capped.items():
        yield f"next    {printable(command)}{'   with a higher cap' if higher else ''}"


def _given(folders: Sequence[Path]) -> list[str]:
    """The shortest way to name results: a folder of them where all that it holds were given."""
    from rubric_engine.judgeeval.results import FACTS

    known = {folder.resolve() for folder in folders}
    named: dict[str, None] = {}
    for folder in folders:
        inside = {file.parent.resolve() for file in folder.parent.glob(f"*/{FACTS}")}
        whole = len(inside) > 1 and inside <= known
        named[str(folder.parent if whole else folder)] = None
    return list(named) if len(named) <= _MOST_NAMED else ["RESULT..."]


def _submissions(leaves: LeafSet) -> tuple[str, ...]:
    return tuple(leaves.baselines[0].agreement.submissions)


def _best_two(leaves: LeafSet) -> tuple[str, ...] | None:
    ranked = [row.name for row in leaves.judges if row.rank is not None]
    return tuple(ranked[:2]) if len(ranked) > 1 else None
