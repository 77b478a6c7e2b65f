"""`rubric-engine rubric`: lint, stats, tree and schema of a rubric."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubric_engine.cli import lint

app = typer.Typer(help="Look at a rubric.", no_args_is_help=True, rich_markup_mode=None)

app.command("lint")(lint.lint)

_NAME = typer.Argument(help="A rubric file, a task's folder, or the name of a task.")


@app.command()
def stats(
    rubric: Annotated[str, _NAME],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how many points each category carries."""
    from dataclasses import asdict

    from rubric_engine.cli.locate import rubric_of
    from rubric_engine.cli.output import fill, percent, points, print_json, printable, show, table
    from rubric_engine.stats import TINY, rubric_stats

    tree, _ = rubric_of(rubric)
    found = rubric_stats(tree)
    if as_json:
        print_json({"ok": True, "stats": asdict(found), "exit_code": 0})
        return
    head = (
        f"{found.nodes:,} criteria: {found.leaves:,} leaves in {found.groups:,} groups, "
        f"{found.depth} levels, at most {found.max_children} children"
    )
    rows = [
        [
            printable(name, 24), f"{row.leaves:,}", percent(row.share_of_leaves),
            points(row.points), f"{row.median_worth:.3f}", percent(row.share_under_checks),
        ]
        for name, row in found.categories.items()
    ]  # fmt: skip
    heads = ("leaves", "of leaves", "points", "median worth", "under checks")
    key, worth = found.heaviest[0]
    show(
        head,
        fill(table("<category", *heads), rows),
        f"heaviest leaf {points(worth)} points ({printable(key, 40)})",
        f"the ten heaviest carry {points(found.top_10)} points",
        f"{found.tiny:,} leaves are worth under {TINY} points",
        f"as many leaves of equal worth would spread as wide: {found.effective_leaves:.0f}",
        f"under checks: {points(found.worth_under_checks)} of 100 points",
    )


@app.command()
def tree(
    rubric: Annotated[str, _NAME],
    depth: Annotated[
        int | None, typer.Option(min=1, help="Levels to show; all if left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print the tree with what each criterion is worth."""
    from dataclasses import asdict

    from rubric_engine.cli.locate import rubric_of
    from rubric_engine.cli.output import fill, points, print_json, printable, show, table
    from rubric_engine.stats import rubric_tree

    root, _ = rubric_of(rubric)
    rows = list(rubric_tree(root, depth))
    if as_json:
        print_json({"ok": True, "criteria": [asdict(row) for row in rows], "exit_code": 0})
        return
    cells = []
    for row in rows:
        indent = "  " * min(row.level - 1, 8)
        text = f"{indent}{printable(row.key)}: {printable(row.requirements)}"
        cells.append([points(row.worth), str(row.leaves or "-"), text])
    show(fill(table("worth", "leaves", "<criterion", wide="criterion"), cells, wide=2))


@app.command()
def schema(
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write it to this file.")] = None,
) -> None:
    """Print the JSON Schema of a rubric file, for editors."""
    import json

    from rubric_engine.cli.output import note, put
    from rubric_engine.rubric_file import rubric_schema
    from rubric_engine.rundir import storing

    text = json.dumps(rubric_schema(), indent=2) + "\n"
    if out is None:
        put(text)
        return
    with storing(out):
        out.write_text(text, encoding="utf-8")
    note(f"wrote {out}")
