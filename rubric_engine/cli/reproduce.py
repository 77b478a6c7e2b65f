"""`rubric-engine reproduce`: run a submission's `reproduce.sh`, and keep what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli import run_options

if TYPE_CHECKING:
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.sandboxing import Wanted
    from rubric_engine.executed.running import Run
    from rubric_engine.isolation import RunSpec, Sandbox
    from rubric_engine.submitted import Submission


_Output = Annotated[
    Path, typer.Option("--output", "-o", help="Folder for what comes of it.", metavar="DIR")
]
_Task = Annotated[str | None, typer.Option(help="Task whose network, limits and outputs hold.")]
_Where = Annotated[
    str, typer.Option(help="docker (auto is the same here), or local: run here, NOT isolated.")
]
_Runs = Annotated[
    Path | None, typer.Option(help="Folder of runs, where earlier ones of the same are kept.")
]


def reproduce(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    output: _Output,
    task: _Task = None,
    sandbox: _Where = "docker",
    engine: run_options.Engine = None,
    recipe: run_options.Recipe = None,
    network: run_options.NetworkPolicy = None,
    gpus: run_options.Gpus = None,
    time_limit: run_options.TimeLimit = None,
    memory: run_options.Memory = None,
    env_file: run_options.EnvFile = None,
    rerun: run_options.Rerun = False,
    runs: _Runs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Run reproduce.sh in a sandbox, and write the executed submission to a folder to grade."""
    from rubric_engine.cli.locate import runs_folder
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.cli.run_outcome import print_run
    from rubric_engine.cli.sandboxing import AUTO, DOCKER, Wanted, gpu_ids, spec_with
    from rubric_engine.executed import STORE
    from rubric_engine.submission import load_submission

    _check(output, submission)
    name = DOCKER if sandbox == AUTO else sandbox
    wanted = Wanted(name, engine, recipe, gpu_ids(gpus), network, time_limit, memory, env_file)
    spec = spec_with(_spec_of(task, submission), wanted)
    handed_in, line = load_submission(submission, skip=spec.skip), RunLine()
    box = _find(wanted, submission, line)
    store = runs_folder(runs, submission) / STORE
    run = _run(box, handed_in, spec, store, line, output, rerun=rerun)
    print_run(run, output, task, as_json=as_json)
    return 0


def _check(output: Path, submission: Path) -> None:
    """Make sure that the folder can be written, and neither holds the submission nor is in it."""
    from rubric_engine.executed import is_executed, require_free

    if is_executed(submission):
        raise _reproduced(submission)
    if output.resolve().is_relative_to(submission.resolve()):
        raise _inside(output)
    if submission.resolve().is_relative_to(output.resolve()):
        raise _around(output, submission)
    require_free(output)


def _spec_of(task: str | None, submission: Path) -> RunSpec:
    """What the task says of runs; without one, the defaults."""
    from rubric_engine.isolation import RunSpec
    from rubric_engine.task import load_task

    return load_task(task, untrusted=submission).spec if task is not None else RunSpec()


def _find(wanted: Wanted, submission: Path, line: RunLine) -> Sandbox:
    """The sandbox that is wanted; what a person must be told of it is told."""
    from rubric_engine.cli.inputs import warn
    from rubric_engine.cli.sandboxing import find_box

    box = find_box(wanted, submission, needed=lambda: True, tell=line.tell)
    if box.sandbox is None:
        raise _nowhere()
    warn(box)
    return box.sandbox


def _run(
    box: Sandbox,
    submission: Submission,
    spec: RunSpec,
    store: Path,
    line: RunLine,
    output: Path,
    *,
    rerun: bool,
) -> Run:
    """Run it and write the folder.

    Raises:
        SandboxError: The run has no outcome that is the submission's own.
    """
    from rubric_engine.cli.run_outcome import require_outcome
    from rubric_engine.executed import run_or_reuse, write_executed
    from rubric_engine.submission import load_snapshot, save_snapshot
    from rubric_engine.submission.scratch import Scratch
    from rubric_engine.threads import run_anywhere

    kept = Scratch()
    try:
        save_snapshot(submission, kept.path, "handed_in")
        whole = load_snapshot(kept.path, "handed_in")
        with line.shown():
            run = run_anywhere(run_or_reuse(box, whole, spec, store, rerun=rerun))
        require_outcome(run.execution)
        write_executed(output, whole, run.execution, spec)
    finally:
        kept.remove()
    return run


def _inside(output: Path) -> Exception:
    from rubric_engine.errors import UsageError

    return UsageError(f"-o {output} lies in the submission", fix=["name a folder outside it"])


def _reproduced(folder: Path) -> Exception:
    from rubric_engine.errors import InputError

    return InputError(
        f"{folder} is a folder that `reproduce` wrote, and no submission",
        fix=[
            f"rubric-engine grade {folder} --task TASK   grades the run in it",
            f"rubric-engine reproduce {folder}/submission -o DIR   runs what it left once more",
        ],
    )


def _around(output: Path, submission: Path) -> Exception:
    from rubric_engine.errors import StorageError

    return StorageError(
        f"-o {output} holds the submission {submission}, and would be replaced",
        code="E906",
        fix=["name another folder with -o DIR"],
    )


def _nowhere() -> Exception:
    from rubric_engine.errors import UsageError

    return UsageError(
        "there is no sandbox to run it in",
        fix=["--sandbox docker, or --sandbox local"],
    )
