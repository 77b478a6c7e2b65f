"""`rubric-engine show`: a finished run, as a tree, as a list of losses, or one leaf."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.result import Report


def show(
    run: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    leaf: Annotated[str | None, typer.Argument(help="Key of one criterion.")] = None,
    lost: Annotated[bool, typer.Option("--lost", help="List what lost points.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="List leaves without a grade.")] = False,
    depth: Annotated[int, typer.Option(min=1, help="Levels of the tree to show.")] = 3,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where the points of a run went."""
    from rubric_engine.cli import summary
    from rubric_engine.cli.output import console, print_json
    from rubric_engine.cli.places import run_bases
    from rubric_engine.rundir import find_run, load_report

    report = load_report(find_run(run, run_bases(runs)))
    if leaf is not None:
        _show_leaf(report, leaf, as_json=as_json)
        return
    if as_json:
        print_json({"ok": True, "run": report.run} | report.to_dict() | {"exit_code": 0})
        return
    out = console()
    for line in summary.score_lines(report):
        out.print(line)
    out.print()
    if lost:
        out.print(summary.lost_table(report, None) or "no point is lost for certain")
    elif open_:
        out.print(_open_table(report))
    else:
        out.print(_tree_table(report, depth))
    out.print(f"\nnext    rubric-engine show {run} LEAF   what was looked for, found, and where")


def _tree_table(report: Report, depth: int) -> Table:
    from rubric_engine.cli.output import points, printable, table
    from rubric_engine.stats import rubric_tree

    grid = table("score", "worth", "lost", "<criterion", wide="criterion")
    for row in rubric_tree(report.rubric, depth):
        loss = report.losses.get(row.key)
        text = f"{'  ' * min(row.level - 1, 8)}{printable(row.key)}: {printable(row.requirements)}"
        shown = points(loss.lost) if loss else "-"
        grid.add_row(_score_word(report, row.key), points(row.worth), shown, text)
    return grid


def _score_word(report: Report, key: str) -> str:
    from rubric_engine.cli.output import span
    from rubric_engine.cli.summary import verdict_of

    return verdict_of(report, key) if report.rubric.is_leaf(key) else span(report.scores[key])


def _open_table(report: Report) -> Table:
    from rubric_engine.cli.output import points, printable, table

    grid = table("worth", "<reason", "<key", "<requirement", wide="requirement")
    for key in report.rubric.leaves():
        grade = report.grades.get(key)
        if grade is None or grade.status == "ungradeable":
            grid.add_row(
                points(100 * report.rubric.worth(key)),
                grade.reason if grade and grade.reason else "not_run",
                printable(key, 24),
                printable(report.rubric[key].requirements),
            )
    return grid


def _show_leaf(report: Report, key: str, *, as_json: bool) -> None:
    from rubric_engine.cli.output import console, print_json
    from rubric_engine.errors import UsageError
    from rubric_engine.near import near
    from rubric_engine.result import grade_dict

    if key not in report.rubric:
        meant = near(key, report.rubric)
        raise UsageError(
            f"no criterion {key!r} in this run" + (f"; {meant}" if meant else ""),
            fix=["rubric-engine show latest --depth 9   lists the keys"],
        )
    if as_json:
        grade = report.grades.get(key)
        print_json(
            {
                "ok": True,
                "key": key,
                "criterion": report.rubric[key].model_dump(mode="json", exclude_defaults=True),
                "score": report.scores[key].model_dump(exclude={"sd"}),
                "grade": grade_dict(grade) if grade else None,
                "exit_code": 0,
            }
        )
        return
    out = console()
    for line in _leaf_lines(report, key):
        out.print(line)


def _leaf_lines(report: Report, key: str) -> Iterator[str]:
    from rubric_engine.cli.output import points, printable

    criterion = report.rubric[key]
    worth = points(100 * report.rubric.worth(key))
    kind = criterion.task_category or f"group of {len(report.rubric.children(key))}"
    head = (_score_word(report, key), f"worth {worth} of 100", printable(kind), printable(key))
    yield "   ".join(head)
    for above in report.rubric.path(key)[:-1]:
        yield f"  in {printable(report.rubric[above].requirements)}"
    yield f"  {printable(criterion.requirements)}"
    grade = report.grades.get(key)
    if grade is None:
        return
    if grade.reason:
        yield f"ungradeable  {grade.reason}"
    why = grade.explanation.splitlines()
    for line in why[:1] if grade.checks else why:  # the checks follow one by one
        yield f"why          {printable(line)}"
    for check in grade.checks:
        met = {1.0: "holds", 0.0: "fails", None: "open"}.get(check.score, f"{check.score}")
        yield f"{check.check}: {met}"
        yield f"  looked for {printable(check.looked_for)}"
        yield f"  found      {printable(check.found)}"
        yield from (f"  at         {printable(str(place))}" for place in check.citations)
