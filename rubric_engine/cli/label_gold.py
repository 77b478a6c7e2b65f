"""`rubric-engine label adjudicate` and `label export`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.gold import Gold
    from rubric_engine.labels import Format, Labels
    from rubric_engine.rubric import Rubric

_FOLDER = typer.Argument(help="Folder of the labels, if ./labels holds several.")


def adjudicate(
    name: Annotated[str, typer.Option("--as", help="Who decides; no annotator.")],
    folder: Annotated[Path | None, _FOLDER] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Write a file with the leaves to decide: disagreements, and what could not be judged.

    Lines that are filled in stay as they are.
    """
    from rubric_engine.judgeeval.labelling.finding import find_folder
    from rubric_engine.judgeeval.labelling.work import disputes

    found = find_folder(folder)
    require_other(found, name)
    gold = found.renew_gold()
    rows = disputes(found.rubric, found.plan, gold.disputed, name)
    path = found.write_disputes(name, rows)
    _print_disputes(found, name, path, gold, as_json=as_json)
    return 0


def require_other(folder: LabelFolder, name: str) -> None:
    """Refuse an annotator as the one who decides."""
    from rubric_engine.errors import UsageError
    from rubric_engine.judgeeval.labelling.layout import annotator_name

    if annotator_name(name).casefold() in {each.casefold() for each in folder.plan.annotators}:
        raise UsageError(
            f"{name!r} labelled here, and would decide on their own labels",
            fix=["name somebody else with --as"],
        )


def _print_disputes(
    folder: LabelFolder, name: str, path: Path, gold: Gold, *, as_json: bool
) -> None:
    from rubric_engine.cli.output import leaves, note, print_json, printable, say

    if as_json:
        counts = {"to_decide": len(gold.disputed), "waiting": len(gold.waiting)}
        value = {"ok": True, "work_file": str(path), **counts}
        print_json(value | {"gold": len(gold.labels.labels), "seen": gold.seen} | {"exit_code": 0})
        return
    say(
        f"{leaves(len(gold.disputed))} to decide: {printable(str(path))}",
        f"gold {len(gold.labels.labels)} of {len(folder.plan.leaves)}, {len(gold.waiting)} waiting",
        *unseen(gold),
    )
    if gold.disputed:
        note(f"then: rubric-engine label import {printable(shlex.quote(str(path)))} --as {name}")
        note(f"  or: rubric-engine label serve SUBMISSION --task TASK --adjudicate --as {name}")


def unseen(gold: Gold) -> list[str]:
    """What is left out of gold, as lines to print."""
    from rubric_engine.cli.output import counted

    many = counted(gold.seen, "label")
    return [f"{many} made with a judge's verdict in sight: no truth, not used"] if gold.seen else []


def export(
    folder: Annotated[Path | None, _FOLDER] = None,
    format: Annotated[
        str, typer.Option("--format", help="paperbench, jsonl, csv or yaml.")
    ] = "jsonl",
    name: Annotated[
        str | None, typer.Option("--as", help="Whose labels: an annotator's; gold if left out.")
    ] = None,
    rubric: Annotated[
        str | None, typer.Option(help="Rubric or task to move the labels to, by their texts.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it to this file.")
    ] = None,
) -> int:
    """Print labels in one of the formats, gold if nobody is named."""
    from rubric_engine.cli.locate import rubric_of
    from rubric_engine.judgeeval.labelling.finding import find_folder
    from rubric_engine.labels import labels_text

    chosen, found = _format(format), find_folder(folder)
    _require_elsewhere(found, output)
    labels = _labels_of(found, name)
    tree = found.rubric if rubric is None else rubric_of(rubric)[0]
    labels = _moved(labels, tree)
    if chosen == "paperbench":
        labels = _for_paperbench(labels, tree)
    _put_out(labels_text(labels, chosen, tree), len(labels.labels), output)
    return 0


def _require_elsewhere(folder: LabelFolder, output: Path | None) -> None:
    """Refuse to write over a file, or where judges read."""
    from rubric_engine.errors import UsageError
    from rubric_engine.lookup import inside

    if output is None:
        return
    if output.is_file() or output.is_symlink():
        raise UsageError(
            f"{output} is there already, and would be lost",
            fix=["-o ANOTHER/FILE", "or move the old file away"],
        )
    if inside(output, Path(folder.plan.submission)):
        raise UsageError(
            f"{output} lies in the submission, where judges read; labels must not",
            fix=["-o ANOTHER/FILE"],
        )


def _for_paperbench(labels: Labels, rubric: Rubric) -> Labels:
    """The labels that a graded tree can hold without passing for more than they are."""
    from rubric_engine.cli.output import counted, leaves, note

    blind = {key: label for key, label in labels.labels.items() if label.blind}
    if labels.seen:
        many = counted(len(labels.seen), "label")
        note(f"warning: {many} left out: made with a judge in sight, which the format cannot say")
    if open_leaves := len(rubric.leaves()) - len(blind):
        note(f"warning: {leaves(open_leaves)} without a label: score null, which is no 0")
    known = labels.model_copy(update={"labels": blind})
    for text in _open_root(known, rubric):
        note(f"warning: {text}")
    return known


def _open_root(labels: Labels, rubric: Rubric) -> Iterator[str]:
    """What to know of the root where leaves have no score."""
    from rubric_engine.cli.output import span
    from rubric_engine.scoring import propagate

    score = propagate(rubric, labels.grades())[rubric.root]
    if score.low != score.high:
        yield f"the root's score is null: by the leaves that have one it lies in {span(score)}"


def _put_out(text: str, count: int, output: Path | None) -> None:
    from rubric_engine.cli.inputs import write
    from rubric_engine.cli.output import counted, note, printable, put

    if output is None:
        put(text)
        return
    write(output, text)
    note(f"wrote {counted(count, 'label')} to {printable(str(output))}")


def _format(name: str) -> Format:
    from rubric_engine.errors import UsageError
    from rubric_engine.labels import FORMATS

    found = next((each for each in FORMATS if each == name), None)
    if found is None:
        raise UsageError(f"--format {name}: no such format", looked=[", ".join(FORMATS)])
    return found


def _labels_of(folder: LabelFolder, name: str | None) -> Labels:
    from rubric_engine.cli.output import note
    from rubric_engine.errors import LabelsError, UsageError
    from rubric_engine.judgeeval.labelling.gold import GOLD_NAME, gold_of

    known = (GOLD_NAME, *folder.plan.annotators, *folder.adjudicators)
    if name not in (None, *known):
        raise UsageError(f"{name!r} has no part in {folder.path}", looked=[", ".join(known)])
    if name in (None, GOLD_NAME):
        gold = gold_of(folder.plan, folder.all_labels(), folder.decisions())
        labels = gold.labels
        for text in unseen(gold):
            note(f"warning: {text}")
    else:
        labels = folder.labels_of(str(name))
    if not labels.labels:
        raise LabelsError(
            f"{folder.path} holds no labels of {name or GOLD_NAME!r} yet",
            code="E554",
            fix=[f"rubric-engine label status {shlex.quote(str(folder.path))}"],
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
