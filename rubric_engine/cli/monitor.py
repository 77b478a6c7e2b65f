"""`rubric-engine monitor`: was a result honestly come by, and what a person decides of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from rubric_engine.cli import monitor_decide, pay_options

if TYPE_CHECKING:
    from rubric_engine.cli.monitor_asked import Asked
    from rubric_engine.cli.monitor_reading import Reading
    from rubric_engine.monitored import MonitorReport
    from rubric_engine.monitoring import Look

_CHECK = "check"
_HELP = ("--help",)

Gate = Literal["suspicious", "violation"]


class _ChecksByDefault(TyperGroup):
    """Takes `monitor SUBMISSION` for `monitor check SUBMISSION`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in front where none is named."""
        if args and args[0] not in self.commands and args[0] not in _HELP:
            args = [_CHECK, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_ChecksByDefault,
    help="Was a result honestly come by? `monitor SUBMISSION` is `monitor check SUBMISSION`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(_CHECK)
def check(
    submission: Annotated[
        Path, typer.Argument(help="Submission: a folder or tar, or what `reproduce -o` wrote.")
    ],
    task: Annotated[
        str | None, typer.Option(help="Task: its blacklist, outputs, masked files and hosts.")
    ] = None,
    rubric: Annotated[Path | None, typer.Option(help="Rubric, in place of a task.")] = None,
    log: Annotated[
        Path | None, typer.Option(help="Log of the agent that made it.", metavar="FILE")
    ] = None,
    executed: Annotated[
        Path | None,
        typer.Option(help="What its run left: `reproduce -o` wrote it, or any folder, on trust."),
    ] = None,
    paper_hidden: Annotated[
        bool, typer.Option("--paper-hidden", help="The agent should not have read the paper's PDF.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option(help="Also ask a model: a card of kind monitor, such as monitor.")
    ] = None,
    model: pay_options.Model = None,
    base_url: pay_options.BaseUrl = None,
    context_window: pay_options.ContextWindow = None,
    max_connections: pay_options.MaxConnections = None,
    max_wait: pay_options.MaxWait = None,
    max_cost: pay_options.MaxCost = None,
    max_tokens: pay_options.MaxTokens = None,
    dry_run: pay_options.DryRun = False,
    confirm_above: pay_options.ConfirmAbove = 5.0,
    yes: pay_options.Yes = False,
    fresh: pay_options.Fresh = False,
    retry_failed: pay_options.RetryFailed = False,
    runs: Annotated[
        Path | None, typer.Option(help="Folder of runs, where paid answers are kept.")
    ] = None,
    fail_on: Annotated[
        Gate | None, typer.Option(help="Exit 1 if the verdict is this, or worse.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Look through a submission, its run and the log of its agent; no score is made or changed."""
    from rubric_engine.cli import inputs
    from rubric_engine.cli.dry_run import print_foresight
    from rubric_engine.cli.locate import runs_folder
    from rubric_engine.cli.monitor_asked import Asked
    from rubric_engine.cli.monitor_inputs import require_reader, watched
    from rubric_engine.cli.monitor_reading import CARD, Reading
    from rubric_engine.connection import Spending

    settings = inputs.model_settings(
        model, base_url, context_window, max_wait=max_wait, max_connections=max_connections
    )
    asks = require_reader(judge, settings, log, dry=dry_run)
    asked = Asked(submission, task, rubric, log, executed, paper_hidden, judge, model, base_url)
    given = watched(asked)
    spending = Spending(max_cost, max_tokens, fresh, retry_failed)
    reading = Reading(
        given, judge or CARD, settings, spending, runs_folder(runs, submission), submission
    )
    if dry_run:
        print_foresight(reading.foresight(), as_json=as_json)
        return 0
    said = None
    if asks:
        agreed = yes or max_cost is not None
        reading.confirm(above=None if agreed else confirm_above, silent=as_json)
        said = reading.look()
    return _checked(reading, asked, said, fail_on, as_json=as_json)


def _checked(
    reading: Reading, asked: Asked, said: Look | None, fail_on: Gate | None, *, as_json: bool
) -> int:
    """Look by rules, print what they and a model found, and return the exit code."""
    from rubric_engine.cli.monitor_lines import checked_lines
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.monitor import monitor
    from rubric_engine.monitoring import with_look

    given, path = reading.watched, str(reading.untrusted)
    found = monitor(given)
    found = found if said is None else with_look(found, said)
    gates = _failed(found, fail_on)
    code = _code(said, gates)
    if as_json:
        document = {
            "ok": code == 0,
            "submission": path,
            "task": given.task.name,
            "monitor": found.model_dump(mode="json"),
            "gates": gates,
            "exit_code": code,
        }
        print_json(document)
    else:
        show(*checked_lines(found, asked, given, gates, code))
    return code


def _code(said: Look | None, gates: list[str]) -> int:
    """The exit code: what stopped the model, parts of the log that have no answer, the gate."""
    from rubric_engine.cli.failure import EXIT_GATE, EXIT_INCOMPLETE

    if said is not None and said.stop is not None:
        return said.stop.exit_code
    if said is not None and said.reasons:
        return EXIT_INCOMPLETE
    return EXIT_GATE if gates else 0


def _failed(found: MonitorReport, fail_on: Gate | None) -> list[str]:
    """What the gate says, if it fails."""
    fails = found.verdict == "violation" or found.verdict == fail_on
    return [f"--fail-on {fail_on}: the verdict is {found.verdict}"] if fail_on and fails else []


app.command("confirm")(monitor_decide.confirm)
app.command("dismiss")(monitor_decide.dismiss)
app.command("show")(monitor_decide.show)
