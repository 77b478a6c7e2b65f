"""What measuring a judge gave, as `judgeeval run` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.grading import NOBODY_TRIED

if TYPE_CHECKING:
    from rubric_engine.judgeeval.case_result import LeafResult
    from rubric_engine.judgeeval.evaluation import Evaluation
    from rubric_engine.judgeeval.rows import Row


def print_evaluations(results: Mapping[Path, Evaluation], *, quiet: bool, as_json: bool) -> int:
    """Print evaluations to stdout: one table, a line each, or one JSON document.

    Args:
        results: Evaluations by the folders that they are kept in, at least one.
        quiet: Print the lines.
        as_json: Print the document.

    Returns:
        The exit code.
    """
    from rubric_engine.cli.judge_table_document import table_document
    from rubric_engine.cli.judge_table_text import print_table
    from rubric_engine.cli.output import print_json, say
    from rubric_engine.judgeeval import table_of
    from rubric_engine.judgeeval.evaluation import gravest

    table, code = table_of([*results.values()]), gravest(one.exit_code for one in results.values())
    if as_json:
        folders = [str(folder) for folder in results]
        found = {
            "ok": code == 0,
            "result": folders[0] if len(folders) == 1 else None,
            "results": folders,
            "complete": all(one.complete for one in results.values()),
        }
        print_json(table_document(table, results) | found | {"exit_code": code})
    elif quiet:
        for folder, one in results.items():
            say(quiet_line(table_of([one]).leaf_sets[0].judges[0], folder))
    else:
        print_table(table, results, ending=_exit_lines(results.values(), code))
    return code


def _exit_lines(evaluations: Iterable[Evaluation], code: int) -> Iterator[str]:
    """The exit code where it is not 0, and what made it 5; W414 tells any other trouble."""
    from rubric_engine.cli.failure import EXIT_INCOMPLETE
    from rubric_engine.cli.output import leaves, printable

    for one in evaluations:
        failed = Counter(leaf.reason for leaf in one.leaves if _failed(leaf))
        if one.exit_code == EXIT_INCOMPLETE and failed:
            why = ", ".join(f"{reason} {count:,}" for reason, count in failed.most_common())
            yield f"failed  {printable(one.name)}: {leaves(failed.total())} without a grade ({why})"
    if code:
        yield f"exit    {code}"


def _failed(leaf: LeafResult) -> bool:
    return leaf.reason is not None and leaf.reason not in NOBODY_TRIED


def quiet_line(row: Row, folder: Path) -> str:
    """Macro F1, the share of labelled leaves that were graded, and where the result lies."""
    from rubric_engine.cli.output import percent, printable

    cover = row.agreement.pooled.coverage
    f1 = "-" if row.f1 is None else f"{row.f1:.3f}"
    return f"{f1}   {percent(cover.leaves)} graded   {printable(str(folder))}"
