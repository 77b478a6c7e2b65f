"""`rubric-engine expbench`: EXP-Bench's questions as tasks, repositories without their answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import (
    expbench_grade,
    expbench_mask,
    expbench_report,
    expbench_taxonomy,
    options,
)

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench import ExpTask

app = typer.Typer(
    help="EXP-Bench: questions about papers, answered by experiments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_TASKS = Path("tasks")


@app.command("import")
def import_(
    source: Annotated[
        Path, typer.Argument(help="A paper's JSON file, a CSV, or a folder of these.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that the tasks are written to.")
    ] = _TASKS,
    strict: Annotated[
        bool, typer.Option("--strict", help="Keys that nobody knows are errors.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write tasks anew that say something else.")
    ] = False,
    as_json: options.Json = False,
) -> int:
    """Write each question of EXP-Bench as a task's folder."""
    from rubric_engine.benchmarks.expbench import load_expbench
    from rubric_engine.benchmarks.expbench.folder import to_task_folder
    from rubric_engine.cli.expbench_warnings import plain, warn
    from rubric_engine.cli.output import print_json

    read = load_expbench(source, strict=strict)
    states = {
        task.folder: to_task_folder(task, output / task.folder, replace=replace)
        for task in read.tasks
    }
    if as_json:
        rows = [{**_facts(task), "folder": str(output / task.folder)} for task in read.tasks]
        for row, state in zip(rows, states.values(), strict=True):
            row["state"] = state
        warnings = [plain(one) for one in read.warnings]
        print_json({"ok": True, "tasks": rows, "warnings": warnings, "exit_code": 0})
        return 0
    warn(read.warnings)
    _show_tasks(read.tasks, list(states.values()), output)
    return 0


def _facts(task: ExpTask) -> dict[str, Any]:
    return {
        "id": task.id,
        "kind": task.kind,
        "requirements": len(task.requirements),
        "variables": len(task.design),
        "hidden": list(task.hidden_files),
    }


def _show_tasks(tasks: tuple[ExpTask, ...], states: list[str], output: Path) -> None:
    from collections import Counter
    from shlex import quote

    from rubric_engine.cli.output import fill, printable, show, table

    rows = [
        [
            printable(task.folder, 40), str(task.kind), str(len(task.design)),
            str(len(task.requirements)), state,
        ]
        for task, state in zip(tasks, states, strict=True)
    ]  # fmt: skip
    states_of = ", ".join(f"{count} {state}" for state, count in Counter(states).items())
    example = tasks[0]
    show(
        fill(table("<task", "kind", "variables", "requirements", "<state"), rows),
        f"{'tasks':11} {states_of}, in {printable(str(output))}",
        *_unlisted(tasks, output),
        f"{'next':11} rubric-engine expbench mask REPO --task {printable(example.id)} "
        f"-o {expbench_mask.REPOS / example.folder}"
        + ("" if output == _TASKS else f" --tasks {printable(quote(str(output)))}"),
    )


def _unlisted(tasks: tuple[ExpTask, ...], output: Path) -> list[str]:
    """What is missing where no source names the repository that answers must not fetch."""
    from rubric_engine.benchmarks.expbench.folder import BLACKLIST
    from rubric_engine.cli.output import counted, printable

    bare = [task for task in tasks if not (output / task.folder / BLACKLIST).is_file()]
    if not bare:
        return []
    example = printable(str(output / bare[0].folder / BLACKLIST))
    return [
        f"{'blacklist':11} none for {counted(len(bare), 'task')}: the source names no repository",
        f"{'':11} M stays undefined until {example} names it",
    ]


app.command("mask")(expbench_mask.mask)
app.command("grade")(expbench_grade.grade)
app.command("report")(expbench_report.report)
app.command("taxonomy")(expbench_taxonomy.taxonomy)
