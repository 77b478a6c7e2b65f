"""What came of a run of `reproduce.sh`, for a person or a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.executed.running import Run
    from rubric_engine.isolation import Execution


_SHOWN = 10
"""Lines that are shown of what an installation printed that failed."""


def print_run(run: Run, output: Path, task: str | None, *, as_json: bool) -> None:
    """Print the result to stdout: a summary, or one JSON document.

    Args:
        run: The run.
        output: The folder that it was written to.
        task: Name of the task, if one was given, for the command that is named next.
        as_json: One JSON document.
    """
    from rubric_engine.cli.output import note, print_json, printable, say
    from rubric_engine.run_warnings import of_execution

    execution = run.execution
    warnings = tuple(of_execution(execution))
    if as_json:
        facts = execution.model_dump(mode="json", exclude={"log"})
        print_json(
            {
                "ok": True,
                "output": str(output),
                "reused": run.reused,
                "execution": facts,
                "warnings": [warning._asdict() for warning in warnings],
                "exit_code": 0,
            }
        )
        return
    for warning in warnings:
        note(f"warning {warning.code}  {printable(warning.message)}")
    say(*_lines(run, output, task))


def _lines(run: Run, output: Path, task: str | None) -> tuple[str, ...]:
    from shlex import quote

    from rubric_engine.cli.output import printable

    execution, place = run.execution, printable(quote(str(output)))
    named = printable(quote(task)) if task is not None else "TASK   TASK is what it is graded by"
    code = "" if execution.exit_code is None else f", exit code {execution.exit_code}"
    took = "" if execution.duration_s is None else f", {execution.duration_s:.1f} s"
    memory = execution.peak_memory
    peak = "" if memory is None else f", at most {memory / 1e6:,.0f} MB"
    again = "   an earlier run of the same; --rerun runs it" if run.reused else ""
    return (
        f"{'status':11} {execution.status}{code}{took}{peak}{again}",
        f"{'files':11} {len(execution.created)} made, {len(execution.modified)} changed,"
        f" {len(execution.deleted)} deleted, {len(execution.omitted)} left out",
        f"{'folder':11} {place}/submission   {place}/reproduce.log",
        f"{'next':11} rubric-engine grade {place} --task {named}",
    )


def require_outcome(execution: Execution) -> None:
    """Make sure that a run ended as the submission's own doing.

    Raises:
        SandboxError: It did not.
    """
    from rubric_engine.errors import SandboxError

    if execution.usable:
        return
    printed = (execution.log.text.strip() if execution.log else "").splitlines()
    if execution.status == "infra.install":
        raise SandboxError(
            execution.fault,
            code="E834",
            looked=["it printed, last of all:", *(f"  {line}" for line in printed[-_SHOWN:])],
            fix=[
                "--env-file FILE   gives it an index or a proxy, such as PIP_INDEX_URL=...",
                "--network none    where nothing need be installed",
            ],
        )
    tried = "once" if execution.attempts == 1 else f"{execution.attempts} times"
    raise SandboxError(
        f"reproduce.sh has no outcome: {execution.status}",
        code="E833",
        looked=[*printed[-1:], f"tried {tried}"],
        fix=["rubric-engine sandbox doctor   says what is missing"],
    )
