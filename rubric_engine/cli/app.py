"""The command `rubric-engine`: its groups, and the one place where an error becomes an exit code.

Commands import what they need inside their bodies, so that `--help` stays quick.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from rubric_engine.cli import (
    audit,
    bench,
    cache,
    compare,
    doctor,
    expbench,
    grade,
    judgeeval,
    judges,
    label,
    monitor,
    report,
    reproduce,
    resume,
    rubric,
    runs,
    sandbox,
    score,
    show,
    view,
)
from rubric_engine.cli.failure import (
    EXIT_BUG,
    EXIT_INTERRUPTED,
    Interrupted,
    going_on_by,
    report_bug,
    report_error,
    report_interrupt,
    report_interrupted_run,
)
from rubric_engine.cli.guests import leave
from rubric_engine.cli.output import note, say
from rubric_engine.errors import RubricEngineError, StorageError, UsageError

app = typer.Typer(
    name="rubric-engine",
    help="Grade a submitted repository against a weighted rubric tree.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("grade")(grade.grade)
app.command("reproduce")(reproduce.reproduce)
app.command("resume")(resume.resume)
app.command("show")(show.show)
app.command("view")(view.view)
app.command("report")(report.report)
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.add_typer(judgeeval.app, name="judgeeval")
app.add_typer(bench.app, name="bench")
app.add_typer(judges.app, name="judges")
app.add_typer(rubric.app, name="rubric")
app.add_typer(label.app, name="label")
app.add_typer(runs.app, name="runs")
app.add_typer(audit.app, name="audit")
app.add_typer(cache.app, name="cache")
app.add_typer(sandbox.app, name="sandbox")
app.add_typer(monitor.app, name="monitor")
app.add_typer(expbench.app, name="expbench")
app.command("doctor")(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"rubric-engine {version('rubric-engine')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Grade a submitted repository against a weighted rubric tree."""


def main() -> NoReturn:
    """Run the command line and exit; a request to terminate ends it as cleanly as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _open_missing_streams()
    leave(run(sys.argv[1:]))


def _open_missing_streams() -> None:
    """A caller may have closed our output; then it is for nobody, and no error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123  # lives as long as we do
        else:
            # What the terminal's encoding lacks is shown as "?", which beats a traceback.
            stream.reconfigure(errors="replace")


def run(arguments: Sequence[str]) -> int:
    """Run one command.

    Args:
        arguments: Words of the command line, the program's name left out.

    Returns:
        The exit code; errors are printed, never raised.
    """
    as_json = "--json" in arguments
    try:
        return _run(arguments, as_json=as_json)
    except StorageError as error:  # where even an error cannot be printed
        return report_error(error, as_json=False)
    except KeyboardInterrupt:  # who presses it again wants no story
        return EXIT_INTERRUPTED


def _run(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        code = app(args=list(arguments), standalone_mode=False)
    except RubricEngineError as error:
        return report_error(going_on_by(error, arguments), as_json=as_json)
    except Interrupted as stop:
        report_interrupted_run(stop.run, as_json=as_json)
        return EXIT_INTERRUPTED
    except typer.TyperException as error:
        return _usage(error, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        code = EXIT_INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            report_bug(error, as_json=as_json)
            return EXIT_BUG
        full = StorageError(f"no space is left: {error.strerror}", code="E904", fix=["free space"])
        return report_error(full, as_json=as_json)
    except Exception as error:  # noqa: BLE001  # the last resort: our bug, said plainly
        report_bug(error, as_json=as_json)
        return EXIT_BUG
    if code == EXIT_INTERRUPTED:
        report_interrupt(arguments, as_json=as_json)
    return int(code or 0)


def _usage(error: typer.TyperException, *, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    message = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError" and context is not None and not as_json:
        note(context.get_help())
        return UsageError.exit_code
    name = context.command_path if context is not None else "rubric-engine"
    return report_error(UsageError(message, fix=[f"{name} --help"]), as_json=as_json)
