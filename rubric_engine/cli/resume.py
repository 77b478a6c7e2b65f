"""`rubric-engine resume`: go on with a run that was stopped."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rubric_engine.connection import Spending
    from rubric_engine.isolation import Sandbox


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value


def resume(
    run: Annotated[
        str | None,
        typer.Argument(
            help="A run: its path, the end of its name, or latest; the newest that was stopped by "
            "default."
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            help="Hard cap over all resumes, in place of the run's.",
            metavar="DOLLARS",
            min=0,
            callback=_finite,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Hard cap on tokens, in place of the run's.", min=1)
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again where a call failed.")
    ] = False,
    env_file: Annotated[
        Path | None,
        typer.Option(help="Variables for the script, if the run had any.", metavar="FILE"),
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print one line.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Go on with a run that was stopped, paying only for what is missing."""
    from rubric_engine import resuming
    from rubric_engine.cli.env_file import read_env_file
    from rubric_engine.cli.inputs import warn
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.outcome import exit_code, print_report
    from rubric_engine.cli.output import note, printable
    from rubric_engine.cli.sandboxing import Box
    from rubric_engine.runs import find_run, newest_unfinished

    bases = run_bases(runs)
    path = newest_unfinished(bases) if run is None else find_run(run, bases)
    if not (quiet or as_json):
        note(f"{'resuming':11} {printable(str(path))}")
    warn(Box(_box_to_run(path)))
    limits = _limits(path, max_cost, max_tokens)
    variables = read_env_file(env_file) if env_file is not None else None
    report = resuming.resume(path, spending=limits, retry_failed=retry_failed, secrets=variables)
    code = exit_code(report)
    print_report(report, code, (), quiet=quiet, as_json=as_json)
    return code


def _box_to_run(run: Path) -> Sandbox | None:
    """The sandbox in which `reproduce.sh` will run, for the run kept no execution."""
    from rubric_engine.kept import read_inputs
    from rubric_engine.sandbox import load_sandbox

    if (run / "execution.json").is_file():
        return None
    name = read_inputs(run).sandbox
    return load_sandbox(name) if name is not None else None


def _limits(path: Path, max_cost: float | None, max_tokens: int | None) -> Spending | None:
    """The run's own limits, but for those that are given now."""
    from dataclasses import replace

    from rubric_engine.kept import read_inputs
    from rubric_engine.resuming import spending_of

    if max_cost is None and max_tokens is None:
        return None
    own = spending_of(read_inputs(path))
    return replace(
        own,
        max_cost=own.max_cost if max_cost is None else max_cost,
        max_tokens=own.max_tokens if max_tokens is None else max_tokens,
    )
