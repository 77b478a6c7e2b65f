"""`rubric-engine expbench mask`: a repository without the answer to a question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import options

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench import ExpTask
    from rubric_engine.benchmarks.expbench.masking import Masked

REPOS = Path("repos")
"""Where masked repositories lie, each called as its task: `grade --repos` takes them so."""

_TASKS = Path("tasks")


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
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", metavar="PATH", help="Leave this where it is, though close to a copy."
        ),
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
    from rubric_engine.benchmarks.expbench.folder import RECORD
    from rubric_engine.benchmarks.expbench.masking import mask as run_mask
    from rubric_engine.cli.expbench_warnings import warn
    from rubric_engine.cli.output import print_json
    from rubric_engine.lookup import is_file

    question = find_task(task, tasks)
    done = run_mask(
        repository,
        question,
        output,
        also=also or (),
        keep=keep or (),
        keep_readme=keep_readme,
        allow_missing=allow_missing,
    )
    if as_json:
        print_json(_document(question, done))
        return 0
    warn(done.warnings)
    _show_masked(question, done, Path(task).parent if is_file(Path(task) / RECORD) else tasks)
    return 0


def _document(task: ExpTask, done: Masked) -> dict[str, Any]:
    from rubric_engine.cli.expbench_warnings import plain

    return {
        "ok": True,
        "task": task.id,
        "kind": task.kind,
        "folder": str(done.folder),
        "commit": done.commit,
        "files": done.files,
        "hidden": dict(done.hidden),
        "copies": dict(done.copies),
        "left_out": dict(done.left_out),
        "warnings": [plain(one) for one in done.warnings],
        "exit_code": 0,
    }


def _show_masked(task: ExpTask, done: Masked, tasks: Path) -> None:
    from rubric_engine.cli.expbench_warnings import rows
    from rubric_engine.cli.output import counted, printable, say

    say(
        f"{'task':11} {printable(task.id)}, kind {task.kind}",
        *rows("hidden", done.hidden),
        *rows("copies", (f"{path}   {why}" for path, why in done.copies.items())),
        *rows("left out", (f"{path}   {why}" for path, why in done.left_out.items())),
        f"{'folder':11} {printable(str(done.folder))}, {counted(done.files, 'file')}, "
        f"one commit {done.commit[:10]}",
        *rows("next", _next(task, done.folder, tasks)),
    )


def _next(task: ExpTask, folder: Path, tasks: Path) -> Iterator[str]:
    """What leads from a masked repository to a grade."""
    from shlex import quote

    repos, here = folder.parent, str(folder)
    if folder.name != task.folder:
        repos, here = REPOS, str(REPOS / task.folder)
        yield f"mkdir -p {repos} && mv {quote(str(folder))} {here}"
    yield f"whoever answers gets {here}"
    yield f"and {tasks / task.folder / 'paper.md'}, and hands in"
    yield f"answers/{task.folder}: answer.json, changes.patch, agent.log"
    more = "" if tasks == _TASKS else f" --tasks {quote(str(tasks))}"
    yield "and, where NAME is the chat model that judges (--base-url URL):"
    yield f"rubric-engine expbench grade answers --repos {quote(str(repos))}{more} --model NAME"
