"""What measuring a judge gave, as `judgeeval run` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.judgeeval.evaluation import Evaluation
    from rubric_engine.judgeeval.rows import Row


def print_evaluation(evaluation: Evaluation, folder: Path, *, quiet: bool, as_json: bool) -> int:
    """Print an evaluation to stdout: its table, one line, or one JSON document.

    Returns:
        The exit code.
    """
    from rubric_engine.cli.judgeeval_report import print_table, table_document
    from rubric_engine.cli.output import print_json, say, show
    from rubric_engine.judgeeval import table_of

    table, code = table_of([evaluation]), evaluation.exit_code
    if as_json:
        found = {"ok": code == 0, "result": str(folder), "complete": evaluation.complete}
        print_json(table_document(table, {folder: evaluation}) | found | {"exit_code": code})
    elif quiet:
        say(quiet_line(table.leaf_sets[0].judges[0], folder))
    else:
        print_table(table, {folder: evaluation})
        show(*_going_on(evaluation))
    return code


def _going_on(evaluation: Evaluation) -> Iterator[str]:
    """What goes on with an evaluation that is not complete."""
    from rubric_engine.cli.output import printable
    from rubric_engine.errors import BudgetError

    if evaluation.complete or evaluation.command is None:
        return
    capped = evaluation.exit_code == BudgetError.exit_code
    how = "   with a higher cap" if capped else ""
    yield f"next    {printable(evaluation.command)}{how}"


def quiet_line(row: Row, folder: Path) -> str:
    """Macro F1, the share of labelled leaves that were graded, and where the result lies."""
    from rubric_engine.cli.output import percent, printable

    cover = row.agreement.pooled.coverage
    f1 = "-" if row.f1 is None else f"{row.f1:.3f}"
    return f"{f1}   {percent(cover.leaves)} graded   {printable(str(folder))}"
