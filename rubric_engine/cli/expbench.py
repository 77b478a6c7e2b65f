"""`rubric-engine expbench`: EXP-Bench's questions as tasks, repositories without their answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import expbench_grade, expbench_report, expbench_taxonomy, options

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench import ExpTask
    from rubric_engine.benchmarks.expbench.masking import Masked
    from rubric_engine.errors import Problem

app = typer.Typer(
    help="EXP-Bench: questions about papers, answered by experiments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("grade")(expbench_grade.grade)
app.command("report")(expbench_report.report)
app.command("taxonomy")(expbench_taxonomy.taxonomy)

_TASKS = Path("tasks")
_LISTED = 20


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
        warnings = [_plain(one) for one in read.warnings]
        print_json({"ok": True, "tasks": rows, "warnings": warnings, "exit_code": 0})
        return 0
    _warn(read.warnings)
    _show_tasks(read.tasks, list(states.values()), output)
    return 0


@app.command()
def mask(
    repository: Annotated[Path, typer.Argument(help="Folder of the paper's repository.")],
    task: Annotated[
        str, typer.Option("--task", help="The question: iclr2024/19008/0, or 19008/0.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="New folder of the copy.")],
    tasks: Annotated[
        Path, typer.Option("--tasks", help="Folder that `import` wrote tasks to.")
    ] = _TASKS,
    also: Annotated[
        list[str] | None, typer.Option("--also", metavar="PATH", help="Hide this, too.")
    ] = None,
    keep_readme: Annotated[
        bool, typer.Option("--keep-readme", help="Leave the README where it is.")
    ] = False,
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Go on where a named file is not there.")
    ] = False,
    as_json: options.Json = False,
) -> int:
    """Copy a repository without the files that answer a question, and without its history."""
    from rubric_engine.benchmarks.expbench.finding import find_task
    from rubric_engine.benchmarks.expbench.masking import mask as run_mask
    from rubric_engine.cli.output import print_json

    question = find_task(task, tasks)
    done = run_mask(
        repository,
        question,
        output,
        also=also or (),
        keep_readme=keep_readme,
        allow_missing=allow_missing,
    )
    if as_json:
        print_json(
            {
                "ok": True,
                "task": question.id,
                "kind": question.kind,
                "folder": str(done.folder),
                "commit": done.commit,
                "files": done.files,
                "hidden": dict(done.hidden),
                "copies": dict(done.copies),
                "left_out": dict(done.left_out),
                "warnings": [_plain(one) for one in done.warnings],
                "exit_code": 0,
            }
        )
        return 0
    _warn(done.warnings)
    _show_masked(question, done)
    return 0


def _facts(task: ExpTask) -> dict[str, Any]:
    return {
        "id": task.id,
        "kind": task.kind,
        "requirements": len(task.requirements),
        "variables": len(task.design),
        "hidden": list(task.hidden_files),
    }


def _plain(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {
        "code": problem.code,
        "message": problem.message,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "hint": problem.hint,
    }


def _warn(warnings: tuple[Problem, ...]) -> None:
    from rubric_engine.cli.output import note, printable

    for one in warnings[:_LISTED]:
        hint = f"; {printable(one.hint)}" if one.hint else ""
        note(f"warning {one.code}  {printable(f'{one.place}: {one.message}')}{hint}")
    if len(warnings) > _LISTED:
        note(f"and {len(warnings) - _LISTED} more warnings; --json lists all")


def _show_tasks(tasks: tuple[ExpTask, ...], states: list[str], output: Path) -> None:
    from collections import Counter

    from rubric_engine.cli.output import fill, printable, show, table

    rows = [
        [
            printable(task.folder, 40), str(task.kind), str(len(task.design)),
            str(len(task.requirements)), state,
        ]
        for task, state in zip(tasks, states, strict=True)
    ]  # fmt: skip
    states_of = ", ".join(f"{count} {state}" for state, count in Counter(states).items())
    example = tasks[0].id
    show(
        fill(table("<task", "kind", "variables", "requirements", "<state"), rows),
        f"{'tasks':11} {states_of}, in {printable(str(output))}",
        f"{'next':11} rubric-engine expbench mask REPO --task {example} -o masked"
        + ("" if output == _TASKS else f" --tasks {printable(str(output))}"),
    )


def _show_masked(task: ExpTask, done: Masked) -> None:
    from rubric_engine.cli.output import counted, printable, say

    say(
        f"{'task':11} {printable(task.id)}, kind {task.kind}",
        *_rows("hidden", done.hidden),
        *_rows("copies", (f"{path}   {why}" for path, why in done.copies.items())),
        *_rows("left out", (f"{path}   {why}" for path, why in done.left_out.items())),
        f"{'folder':11} {printable(str(done.folder))}, {counted(done.files, 'file')}, "
        f"one commit {done.commit[:10]}",
        f"{'next':11} whoever answers gets it, and the task's paper.md",
    )


def _rows(name: str, texts: Iterable[str]) -> list[str]:
    from rubric_engine.cli.output import printable

    lines = [printable(text) for text in texts] or ["nothing"]
    if len(lines) > _LISTED:
        lines[_LISTED:] = [f"and {len(lines) - _LISTED} more; --json lists all"]
    return [f"{name if not index else '':11} {line}" for index, line in enumerate(lines)]
