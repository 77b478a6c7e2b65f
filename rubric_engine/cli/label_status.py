"""`rubric-engine label status`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.following import NextStep
    from rubric_engine.judgeeval.labelling.gold import Gold
    from rubric_engine.judgeeval.labelling.standing import Standing

_FOLDER = typer.Argument(help="Folder of the labels, if ./labels holds several.")
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def status(folder: Annotated[Path | None, _FOLDER] = None, as_json: Json = False) -> int:
    """Say how far each annotator is."""
    from rubric_engine.cli.label_saved import saved_notes
    from rubric_engine.cli.output import note, printable
    from rubric_engine.judgeeval.labelling.finding import find_folder
    from rubric_engine.judgeeval.labelling.following import next_steps
    from rubric_engine.judgeeval.labelling.gold import gold_of
    from rubric_engine.judgeeval.labelling.standing import labelled_by_several, standings

    found = find_folder(folder)
    labels = found.all_labels()
    rows, both = standings(found.plan, labels), labelled_by_several(labels)
    gold = gold_of(found.plan, labels, found.decisions())
    steps = next_steps(found.plan, labels, str(found.path), gold)
    if as_json:
        _print_status(found, rows, both, gold, steps)
        return 0
    _show_status(found, rows, both, gold)
    for step in steps:
        note(f"then: {printable(step.command)}   {printable(step.why)}")
    for name in (*found.plan.annotators, *found.adjudicators):
        for text in saved_notes(found.record(name).path):
            note(text)
    for each in labels.values():
        for text in each.warnings:
            note(f"warning: {printable(text)}")
    return 0


def _print_status(
    folder: LabelFolder,
    rows: tuple[Standing, ...],
    both: int,
    gold: Gold,
    steps: tuple[NextStep, ...],
) -> None:
    from rubric_engine.cli.output import print_json
    from rubric_engine.judgeeval.labelling.saved import lost

    names = (*folder.plan.annotators, *folder.adjudicators)
    saved = [str(file) for name in names for file in lost(folder.record(name).path)]
    value = {"ok": True, "folder": str(folder.path), "annotators": [asdict(row) for row in rows]}
    counts = {"both": both, "flags": _flags(rows), "gold": len(gold.labels.labels),
              "to_decide": len(gold.disputed), "waiting": len(gold.waiting),
              "seen": gold.seen, "saved": saved,
              "next": [asdict(step) for step in steps]}  # fmt: skip
    print_json(value | counts | {"exit_code": 0})


def _show_status(folder: LabelFolder, rows: tuple[Standing, ...], both: int, gold: Gold) -> None:
    from rubric_engine.cli.label_gold import unseen
    from rubric_engine.cli.output import fill, say, show, table

    grid = table("<annotator", "done", "of", "median", "left", "can't judge", "flags")
    show(fill(grid, map(_cells, rows)))
    say(
        f"labelled by two or more {both}; gold {len(gold.labels.labels)} of "
        f"{len(folder.plan.leaves)}, {len(gold.disputed)} to decide, {len(gold.waiting)} waiting",
        *_flagged(_flags(rows)),
        *unseen(gold),
    )


def _flags(rows: tuple[Standing, ...]) -> list[str]:
    return sorted({key for row in rows for key in row.flags})


def _cells(row: Standing) -> list[str]:
    pace = "-" if row.median_seconds is None else f"{row.median_seconds:,.0f} s"
    left = "-" if row.seconds_left is None else f"{row.seconds_left / 60:,.0f} min"
    counts = (row.cannot_judge, len(row.flags))
    return [row.annotator, f"{row.done:,}", f"{row.assigned:,}", pace, left, *map(str, counts)]


def _flagged(flags: list[str]) -> list[str]:
    from rubric_engine.cli.output import printable

    if not flags:
        return []
    named = ", ".join(printable(key, 30) for key in flags[:5]) + (", ..." if flags[5:] else "")
    return [f"rubric flagged at {len(flags)}: {named}"]
