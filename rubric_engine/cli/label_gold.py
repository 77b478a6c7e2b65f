"""`rubric-engine label adjudicate` and `label export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.gold import Gold
    from rubric_engine.labels import Format, Labels
    from rubric_engine.rubric import Rubric

_FOLDER = typer.Argument(help="Folder of the labels, if ./labels holds several.")
GOLD_NAME = "gold"


def adjudicate(
    name: Annotated[str, typer.Option("--as", help="Who decides; no annotator.")],
    folder: Annotated[Path | None, _FOLDER] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Write a file with the leaves to decide: disagreements, and what could not be judged."""
    from rubric_engine.cli.output import leaves, note, print_json, printable, say
    from rubric_engine.errors import UsageError
    from rubric_engine.judgeeval.labelling.folder import ADJUDICATE, annotator_name, find_folder
    from rubric_engine.judgeeval.labelling.work import disputes

    found = find_folder(folder)
    if annotator_name(name).casefold() in {each.casefold() for each in found.plan.annotators}:
        raise UsageError(
            f"{name!r} labelled here, and would decide on their own labels",
            fix=["name somebody else with --as"],
        )
    gold = write_gold(found)
    rows = list(disputes(found.rubric, found.plan, gold.disputed))
    path = found.write(f"{ADJUDICATE}{name}.jsonl", rows)
    if as_json:
        counts = {"to_decide": len(rows), "waiting": len(gold.waiting)}
        value = {"ok": True, "work_file": str(path), **counts}
        print_json(value | {"gold": len(gold.labels.labels), "exit_code": 0})
        return 0
    say(
        f"{leaves(len(rows))} to decide: {printable(str(path))}",
        f"gold {len(gold.labels.labels)} of {len(found.plan.leaves)}, {len(gold.waiting)} waiting",
    )
    if rows:
        note(f"then: rubric-engine label import {printable(str(path))} --as {name}")
    return 0


def export(
    folder: Annotated[Path | None, _FOLDER] = None,
    format: Annotated[
        str, typer.Option("--format", help="paperbench, jsonl, csv or yaml.")
    ] = "jsonl",
    name: Annotated[str, typer.Option("--as", help="Whose labels: an annotator, or gold.")] = (
        GOLD_NAME
    ),
    rubric: Annotated[
        str | None, typer.Option(help="Rubric or task to move the labels to, by their texts.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it to this file.")
    ] = None,
) -> int:
    """Print labels in one of the formats, gold if nobody is named."""
    from rubric_engine.cli.inputs import write
    from rubric_engine.cli.locate import rubric_of
    from rubric_engine.cli.output import counted, leaves, note, printable, put
    from rubric_engine.judgeeval.labelling.folder import find_folder
    from rubric_engine.labels import labels_text

    chosen, found = _format(format), find_folder(folder)
    labels = _labels_of(found, name)
    tree = found.rubric if rubric is None else rubric_of(rubric)[0]
    labels = _moved(labels, tree)
    text = labels_text(labels, chosen, tree)
    open_leaves = len(tree.leaves()) - len(labels.labels)
    if open_leaves and chosen == "paperbench":
        note(f"warning: {leaves(open_leaves)} without a label: score null, which is no 0")
    if output is None:
        put(text)
    else:
        write(output, text)
        note(f"wrote {counted(len(labels.labels), 'label')} to {printable(str(output))}")
    return 0


def write_gold(folder: LabelFolder) -> Gold:
    """Put gold together anew, and keep it in the folder."""
    from rubric_engine.judgeeval.labelling.folder import GOLD
    from rubric_engine.judgeeval.labelling.gold import gold_of
    from rubric_engine.labels.lines import label_row

    gold = gold_of(folder.plan, folder.all_labels(), folder.decisions())
    folder.write(GOLD, (label_row(key, label) for key, label in gold.labels.labels.items()))
    return gold


def _format(name: str) -> Format:
    from rubric_engine.errors import UsageError
    from rubric_engine.labels import FORMATS

    found = next((each for each in FORMATS if each == name), None)
    if found is None:
        raise UsageError(f"--format {name}: no such format", looked=[", ".join(FORMATS)])
    return found


def _labels_of(folder: LabelFolder, name: str) -> Labels:
    from rubric_engine.errors import LabelsError, UsageError
    from rubric_engine.judgeeval.labelling.gold import gold_of

    known = (GOLD_NAME, *folder.plan.annotators, *folder.adjudicators)
    if name not in known:
        raise UsageError(f"{name!r} has no part in {folder.path}", looked=[", ".join(known)])
    if name == GOLD_NAME:
        labels = gold_of(folder.plan, folder.all_labels(), folder.decisions()).labels
    else:
        labels = folder.labels_of(name)
    if not labels.labels:
        raise LabelsError(
            f"{folder.path} holds no labels of {name!r} yet",
            code="E505",
            fix=[f"rubric-engine label status {folder.path}"],
        )
    return labels


def _moved(labels: Labels, rubric: Rubric) -> Labels:
    from rubric_engine.cli.output import note, printable
    from rubric_engine.errors import LabelsError
    from rubric_engine.labels import fitted

    fit = fitted(labels, rubric)
    if not fit.labels.labels:
        message = f"none of {len(labels.labels)} labels is of a leaf of that rubric"
        raise LabelsError(message, code="E502", looked=fit.words)
    for text in (*labels.warnings, *fit.words):
        note(f"warning: {printable(text)}")
    return fit.labels
