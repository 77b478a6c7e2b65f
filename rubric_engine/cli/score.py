"""`rubric-engine score`: recompute a run that was kept, judging nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rubric_engine.criterion import Criterion
    from rubric_engine.result import Report
    from rubric_engine.rubric import Rubric
    from rubric_engine.run_warnings import RunWarning


def score(
    run: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    rubric: Annotated[
        Path | None, typer.Option(help="Another rubric with the same keys, for its weights.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Only leaves of this category.")] = None,
    missing: Annotated[
        Literal["zero", "renormalise"], typer.Option(help="What leaves without a grade count as.")
    ] = "zero",
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Recompute the score of a run with other weights, one category or another policy."""
    from dataclasses import replace

    from rubric_engine.cli.locate import exact_category, run_bases
    from rubric_engine.cli.outcome import document, exit_code
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.summary import print_summary
    from rubric_engine.provenance import mode_of
    from rubric_engine.rubric_file import load_rubric
    from rubric_engine.runs import find_run, load_report

    report = load_report(find_run(run, run_bases(runs)))
    tree, mode = report.rubric, str(report.provenance.get("mode", ""))
    seen = report.provenance.get("category")
    if rubric is not None:
        tree = load_rubric(rubric)
        _share_leaves(report, tree)
        report = replace(report, noted=(*report.noted, *_differences(report, tree)))
    if category is not None:
        category = exact_category(tree, category)
        tree = tree.subset(category=category)
        mode = mode if category == seen else mode_of(mode, category)
    again = report.over(tree, mode=mode, missing=missing)
    code = exit_code(again)
    if as_json:
        print_json(document(again, code))
    else:
        print_summary(again, code)
    return code


def _share_leaves(report: Report, tree: Rubric) -> None:
    from rubric_engine.errors import RunError

    if not any(key in report.grades for key in tree.leaves()):
        raise RunError(
            "no leaf of that rubric was part of the run",
            code="E525",
            fix=["give the rubric that was graded, or one made from it, with the same ids"],
        )


def _differences(report: Report, tree: Rubric) -> list[RunWarning]:
    """What another rubric asks that the grades do not answer."""
    from rubric_engine.run_warnings import RunWarning

    old = report.rubric
    shared = [key for key in tree.leaves() if key in old]
    changed = [key for key in shared if _asks(old[key]) != _asks(tree[key])]
    added = [key for key in tree.leaves() if key not in report.grades]
    found = [
        ("W220", changed, "ask for something else than when they were judged"),
        ("W221", added, "were not part of the run and have no grade"),
    ]
    return [
        RunWarning(code, f"{len(keys)} leaves {text}: {', '.join(keys[:5])}")
        for code, keys, text in found
        if keys
    ]


def _asks(leaf: Criterion) -> tuple[object, ...]:
    """What a judge's verdict on a leaf depends on; weights are not part of it."""
    return leaf.requirements, leaf.task_category, leaf.checks, leaf.aggregate, leaf.scale
