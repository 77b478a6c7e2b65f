"""`rubric-engine label`: who labels which leaves, and taking in what they say."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import label_agreement, label_correct, label_gold, label_serve, label_status

if TYPE_CHECKING:
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.gold import Gold
    from rubric_engine.judgeeval.labelling.intake import Intake
    from rubric_engine.judgeeval.labelling.planning import LabelPlan

app = typer.Typer(
    help="Label leaves by hand, by several people, blind.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("assign")
def assign(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    annotators: Annotated[str, typer.Option(help="Names, such as a1,a2.")],
    task: Annotated[str | None, typer.Option(help="Task: a name or a folder.")] = None,
    rubric: Annotated[Path | None, typer.Option(help="Rubric, in place of a task.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Leaves to draw by category; all if left out.")
    ] = None,
    overlap: Annotated[
        str, typer.Option(metavar="PERCENT", help="Share of them that everybody labels.")
    ] = "30",
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder of the labels.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Draw leaves, deal them out, and write for each annotator a file to fill in."""
    from rubric_engine.cli.inputs import take_in
    from rubric_engine.cli.label_plan import make_labelling, serve_command, usual_folder
    from rubric_engine.cli.locate import find_task
    from rubric_engine.judgeeval.labelling.layout import annotator_names

    names, percent = annotator_names(annotators), _percent(overlap)
    found = find_task(submission, task=task, rubric=rubric, paper=None)
    handed_in, _ = take_in(submission, found, None, executed=False, allow_empty=False)
    path = output or usual_folder(found.name, submission)
    folder = make_labelling(
        path, submission, found, handed_in, names, sample=sample, overlap=percent, seed=seed
    )
    serve = serve_command(submission, task, rubric, None if output is None else path)
    _print_plan(folder, found.rubric.leaves(), serve, as_json=as_json)
    return 0


@app.command("import")
def import_labels(
    file: Annotated[
        Path, typer.Argument(help="A work file that was filled in, or labels in any format.")
    ],
    name: Annotated[str, typer.Option("--as", help="Whose labels they are.")],
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder of the labels; by default the file's, or ./labels/*."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Take labels in: those that are new or corrected are appended to NAME.jsonl."""
    from datetime import UTC, datetime

    from rubric_engine.cli.label_part import require_part
    from rubric_engine.judgeeval.labelling.finding import find_folder
    from rubric_engine.judgeeval.labelling.intake import taken_in
    from rubric_engine.labels import load_label_rows

    into = find_folder(folder, file)
    require_part(into, name)
    rows, record = load_label_rows(file), into.record(name)
    with record.held():
        before = into.labels_of(name)
        intake = taken_in(
            rows,
            plan=into.plan,
            rubric=into.rubric,
            annotator=name,
            others=(*into.plan.annotators, *into.adjudicators),
            before=before,
            now=datetime.now(UTC).isoformat(timespec="seconds"),
            reasons=file.suffix.lower() != ".json",  # graded trees come as they are
        )
        added = record.append(intake.new)
    gold = into.renew_gold()
    warnings = [*rows.warnings, *before.warnings, *_told(intake)]
    _print_intake(into, name, intake, gold, warnings, added, as_json=as_json)
    return 0


app.command("status")(label_status.status)
app.command("agreement")(label_agreement.agreement)
app.command("adjudicate")(label_gold.adjudicate)
app.command("export")(label_gold.export)
app.command("serve")(label_serve.serve)
app.command("correct")(label_correct.correct)


def _percent(text: str) -> int:
    from rubric_engine.errors import UsageError

    number = text.strip().removesuffix("%")
    if not (number.isascii() and number.isdigit() and int(number) <= 100):
        raise UsageError(f"--overlap {text}: give a whole percentage", fix=["--overlap 30"])
    return int(number)


def _print_plan(folder: LabelFolder, leaves: tuple[str, ...], serve: str, *, as_json: bool) -> None:
    from rubric_engine.cli.output import fill, note, print_json, printable, show, table

    plan = folder.plan
    rows = []
    for name in plan.annotators:
        share = plan.share(name)
        shared = sum(len(leaf.annotators) > 1 for leaf in share)
        rows.append({"annotator": name, "leaves": len(share), "shared": shared,
                     "work_file": str(folder.path / f"todo-{name}.jsonl"),
                     "serve": f"{serve} --as {shlex.quote(name)}"})  # fmt: skip
    if as_json:
        facts = plan.model_dump(mode="json", exclude={"leaves"})
        value = {"ok": True, "folder": str(folder.path), "plan": facts, "annotators": rows}
        print_json(value | {"drawn": len(plan.leaves), "exit_code": 0})
        return
    grid = table("<annotator", "leaves", "shared", "<fill in")
    cells = [
        [str(row["annotator"]), f"{row['leaves']:,}", f"{row['shared']:,}",
         printable(str(row["work_file"]))]
        for row in rows
    ]  # fmt: skip
    show(f"{len(plan.leaves):,} of {len(leaves):,} leaves", fill(grid, cells))
    for text in _undrawn(plan, folder):
        note(f"warning: {text}")
    for row in rows:
        file = printable(shlex.quote(str(row["work_file"])))
        note(f"then: {printable(str(row['serve']))}   in the browser")
        note(f"  or: rubric-engine label import {file} --as {row['annotator']}   once filled in")


def _undrawn(plan: LabelPlan, folder: LabelFolder) -> list[str]:
    """Categories of which the sample has no leaf."""
    from rubric_engine.cli.output import printable

    rubric = folder.rubric
    every = {rubric[key].task_category or "" for key in rubric.leaves()}
    missing = sorted(every - {leaf.category for leaf in plan.leaves})
    return [f"no leaf of {printable(name)} was drawn; a larger --sample has some"
            for name in missing]  # fmt: skip


def _told(intake: Intake) -> list[str]:
    from rubric_engine.cli.output import counted

    told = list(intake.fit.words)
    if intake.unplanned:
        told.append(f"{counted(len(intake.unplanned), 'label')} not taken: of leaves not drawn")
    if intake.unassigned:
        many = counted(len(intake.unassigned), "label")
        told.append(f"{many} taken of leaves that were given to others")
    return told


def _print_intake(
    folder: LabelFolder,
    name: str,
    intake: Intake,
    gold: Gold,
    warnings: list[str],
    added: range,
    *,
    as_json: bool,
) -> None:
    from rubric_engine.cli.output import counted, note, print_json, printable, say

    if as_json:
        found = {"gold": len(gold.labels.labels), "seen": gold.seen, "warnings": warnings,
                 "record": str(folder.record(name).path),
                 "lines": [added[0], added[-1]] if added else None}  # fmt: skip
        value = {"ok": True, "folder": str(folder.path), "annotator": name}
        print_json(value | _became(intake) | found | {"exit_code": 0})
        return
    for text in warnings:
        note(f"warning: {printable(text)}")
    say(
        f"{name}: {counted(len(intake.new) - intake.corrected, 'new label')}, "
        f"{intake.corrected} corrected, {intake.unchanged} unchanged",
        f"gold: {len(gold.labels.labels)} of {len(folder.plan.leaves)} leaves, "
        f"{len(gold.disputed)} to decide, {len(gold.waiting)} waiting",
        *label_gold.unseen(gold),
    )
    if added:
        lines = f"lines {added[0]} to {added[-1]}" if added[1:] else f"line {added[0]}"
        file = printable(str(folder.record(name).path))
        note(f"to take this import back, delete {lines} of {file}")


def _became(intake: Intake) -> dict[str, Any]:
    """What became of each label, as plain values."""
    return {
        "new": len(intake.new) - intake.corrected,
        "corrected": intake.corrected,
        "unchanged": intake.unchanged,
        "renamed": dict(intake.fit.renamed),
        "changed": list(intake.fit.changed),
        "gone": list(intake.fit.gone),
        "ambiguous": {key: list(keys) for key, keys in intake.fit.ambiguous.items()},
        "unplanned": list(intake.unplanned),
        "unassigned": list(intake.unassigned),
    }
