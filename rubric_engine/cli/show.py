"""`rubric-engine show`: a run as a tree, as a list of losses, or one leaf."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.result import Report
    from rubric_engine.runs import KeptRun


def show(
    run: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    leaf: Annotated[str | None, typer.Argument(help="Key of one criterion.")] = None,
    lost: Annotated[bool, typer.Option("--lost", help="List what lost points.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="List leaves without a grade.")] = False,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Show what a model was asked of the leaf, and said.")
    ] = False,
    depth: Annotated[int, typer.Option(min=1, help="Levels of the tree to show.")] = 3,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where the points of a run went."""
    from rubric_engine.cli import output
    from rubric_engine.cli.leaf_lines import leaf_lines
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.errors import UsageError
    from rubric_engine.report import report_so_far
    from rubric_engine.runs import find_run, kept_run

    if lost and open_:
        raise UsageError("give --lost or --open, not both")
    kept = kept_run(find_run(run, run_bases(runs)))
    report = report_so_far(kept)
    if leaf is not None:
        _known(report, leaf)
    if prompt:
        _show_prompts(report, leaf, as_json=as_json)
    elif as_json:
        value = _document(report, leaf, lost=lost, open_=open_)
        output.print_json({"ok": True, "run": report.run} | value | {"exit_code": 0})
    elif leaf is not None:
        output.show(*leaf_lines(report, leaf))
    else:
        _show_run(report, depth, lost=lost, open_=open_)
        output.show(*_next_lines(report, kept))


def _document(report: Report, leaf: str | None, *, lost: bool, open_: bool) -> dict[str, Any]:
    from rubric_engine.cli.leaf_lines import receipt_dict
    from rubric_engine.result import grade_dict

    whole = report.to_dict()
    if leaf is not None:
        grade = report.grades.get(leaf)
        return {
            "key": leaf,
            "criterion": report.rubric[leaf].model_dump(mode="json", exclude_defaults=True),
            "score": report.scores[leaf].model_dump(exclude={"sd"}),
            "grade": grade_dict(grade) if grade else None,
            "receipt": receipt_dict(report, grade),
        }
    rows = {row["key"]: row for row in whole["criteria"]}
    if lost:
        return {"lost": [rows[key] for key, _ in report.lost_first()]}
    if open_:
        return {"open": [row for row in rows.values() if row["verdict"] == "open"]}
    return whole


def _show_prompts(report: Report, leaf: str | None, *, as_json: bool) -> None:
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.prompts import print_calls
    from rubric_engine.errors import UsageError
    from rubric_engine.report import calls_of

    if leaf is None:
        raise UsageError("--prompt goes with a leaf: show RUN LEAF --prompt")
    calls = calls_of(report, leaf)
    if as_json:
        print_json({"ok": True, "run": report.run, "key": leaf, "calls": calls, "exit_code": 0})
    else:
        print_calls(leaf, calls)


def _show_run(report: Report, depth: int, *, lost: bool, open_: bool) -> None:
    from rubric_engine.cli import output, summary
    from rubric_engine.cli.costs import cost_lines
    from rubric_engine.cli.guard import guard_lines
    from rubric_engine.cli.metric_lines import metric_lines
    from rubric_engine.cli.ran import ran_lines

    output.show(*summary.score_lines(report), *metric_lines(report), "")
    if lost:
        output.show(summary.lost_table(report, None) or "no point is lost for certain")
    elif open_:
        output.show(_open_table(report))
    else:
        output.show(_tree_table(report, depth))
    lines = [f"warning {w.code}  {output.printable(w.message)}" for w in report.warnings]
    output.show("", *lines, *ran_lines(report), *cost_lines(report.cost))
    output.show(*guard_lines(report))


def _next_lines(report: Report, kept: KeptRun) -> Iterator[str]:
    from rubric_engine.cli.going_on import going_on, run_name
    from rubric_engine.cli.output import printable

    if kept.is_resumable:
        again = going_on(report, stopped=kept.is_unfinished)
        yield from (f"next    {printable(line)}" for line in again)
    run = run_name(report)
    yield f"next    rubric-engine show {run} LEAF   what was looked for, found, and where"


def _tree_table(report: Report, depth: int) -> Table:
    from rubric_engine.cli.leaf_lines import score_word
    from rubric_engine.cli.output import fill, points, printable, table
    from rubric_engine.stats import rubric_tree

    rows = []
    for row in rubric_tree(report.rubric, depth):
        loss = report.losses.get(row.key)
        figures = [points(loss.worth), points(loss.lost)] if loss else ["-", "-"]
        indent = "  " * min(row.level - 1, 8)
        text = f"{indent}{printable(row.key)}: {printable(row.requirements)}"
        rows.append([score_word(report, row.key), *figures, text])
    return fill(table("score", "worth", "lost", "<criterion", wide="criterion"), rows, wide=3)


def _open_table(report: Report) -> Table:
    from rubric_engine.cli.output import fill, points, printable, table

    rows = []
    for key in report.rubric.leaves():
        if report.verdict(key) == "open":
            grade, loss = report.grades.get(key), report.losses.get(key)
            reason = grade.reason if grade and grade.reason else "not_run"
            text = printable(report.rubric[key].requirements)
            worth = points(loss.worth) if loss else "-"
            rows.append([worth, reason, printable(key, 24), text])
    return fill(table("worth", "<reason", "<key", "<requirement", wide="requirement"), rows, wide=3)


def _known(report: Report, key: str) -> None:
    from rubric_engine.cli.going_on import run_name
    from rubric_engine.errors import UsageError
    from rubric_engine.near import near

    if key not in report.rubric:
        meant = near(key, report.rubric)
        raise UsageError(
            f"no criterion {key!r} in this run" + (f"; {meant}" if meant else ""),
            fix=[f"rubric-engine show {run_name(report)} --depth 9   lists the keys"],
        )
