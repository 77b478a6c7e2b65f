"""The command `rubric-engine`: its groups, and the one place where an error becomes an exit code.

Commands import what they need inside their bodies, so that `--help` stays quick.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from rubric_engine.cli import doctor, grade, rubric, runs, score, show
from rubric_engine.cli.failure import EXIT_BUG, EXIT_INTERRUPTED, report_bug, report_error
from rubric_engine.errors import RubricEngineError, UsageError

app = typer.Typer(
    name="rubric-engine",
    help="Grade a submitted repository against a weighted rubric tree.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("grade")(grade.grade)
app.command("show")(show.show)
app.command("score")(score.score)
app.add_typer(rubric.app, name="rubric")
app.add_typer(runs.app, name="runs")
app.command("doctor")(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"rubric-engine {version('rubric-engine')}")
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
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command.

    Args:
        arguments: Words of the command line, the program's name left out.

    Returns:
        The exit code; errors are printed, never raised.
    """
    as_json = "--json" in arguments
    try:
        code = app(args=list(arguments), standalone_mode=False)
        sys.stdout.flush()
        return _interrupted() if code == EXIT_INTERRUPTED else int(code or 0)
    except RubricEngineError as error:
        return report_error(error, as_json=as_json)
    except typer.TyperException as error:
        usage = UsageError(error.message, fix=["rubric-engine --help"])
        return report_error(usage, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except BrokenPipeError:
        # The reader of our output left, as `head` does; what it read was fine.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001  # the last resort: our bug, said plainly
        report_bug(error, as_json=as_json)
        return EXIT_BUG


def _interrupted() -> int:
    typer.echo("interrupted; grades that were known are in the run's folder", err=True)
    return EXIT_INTERRUPTED
