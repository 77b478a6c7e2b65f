"""The table of judges for a person, where its results lie, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Evaluation, LeafSet
    from rubric_engine.judgeeval.judge_table import Table

_MOST_NAMED = 4
"""Folders that a command to go on with names; of more it is told that they are the same again."""

By = Literal["submission", "category"]


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
