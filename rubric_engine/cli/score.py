"""`rubric-engine score`: recompute a finished run, judging nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rubric_engine.result import Notice, Report
    from rubric_engine.rubric import Rubric


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
    """Recompute the score of a finished run with other weights, category or policy."""
    from dataclasses import replace

    from rubric_engine.cli.grade import document, exit_code
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.places import exact_category, run_bases
    from rubric_engine.cli.summary import print_summary
    from rubric_engine.rubric_file import load_rubric
    from rubric_engine.rundir import find_run, load_report

    report = load_report(find_run(run, run_bases(runs)))
    tree, notices = report.rubric, report.notices
    if rubric is not None:
        tree = load_rubric(rubric)
        notices = (*notices, *_differences(report, tree))
    if category is not None:
        tree = tree.subset(category=exact_category(tree, category))
    grades = {key: grade for key, grade in report.grades.items() if key in tree}
    again = replace(report, rubric=tree, grades=grades, missing=missing, notices=notices)
    code = exit_code(again)
    if as_json:
        print_json(document(again, code))
    else:
        print_summary(again, code)
    return code


def _differences(report: Report, tree: Rubric) -> list[Notice]:
    """What another rubric asks that the grades do not answer."""
    from rubric_engine.result import Notice

    old = report.rubric
    changed = [
        key
        for key in tree.leaves()
        if key in old and old[key].requirements != tree[key].requirements
    ]
    added = [key for key in tree.leaves() if key not in report.grades]
    notices = []
    if changed:
        text = f"{len(changed)} leaves say something else than when they were judged: "
        notices.append(Notice("W220", text + ", ".join(changed[:5])))
    if added:
        text = f"{len(added)} leaves were not part of the run and have no grade: "
        notices.append(Notice("W221", text + ", ".join(added[:5])))
    return notices
