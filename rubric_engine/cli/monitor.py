"""`rubric-engine monitor`: was a result honestly come by, and what a person decides of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from rubric_engine.cli import monitor_decide

if TYPE_CHECKING:
    from rubric_engine.monitored import MonitorReport

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
    fail_on: Annotated[
        Gate | None, typer.Option(help="Exit 1 if the verdict is this, or worse.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Look through a submission, its run and the log of its agent; no score is made or changed."""
    from rubric_engine.cli.monitor_inputs import watched
    from rubric_engine.cli.monitor_lines import checked_lines
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.monitor import monitor

    given = watched(submission, task, rubric, log, executed, hides_paper=paper_hidden)
    found = monitor(given)
    gates = _failed(found, fail_on)
    code = 1 if gates else 0
    if as_json:
        print_json(
            {
                "ok": code == 0,
                "submission": str(submission),
                "task": given.task.name,
                "monitor": found.model_dump(mode="json"),
                "gates": gates,
                "exit_code": code,
            }
        )
    else:
        show(*checked_lines(found, str(submission), given, gates))
    return code


def _failed(found: MonitorReport, fail_on: Gate | None) -> list[str]:
    """What the gate says, if it fails."""
    fails = found.verdict == "violation" or found.verdict == fail_on
    return [f"--fail-on {fail_on}: the verdict is {found.verdict}"] if fail_on and fails else []


app.command("confirm")(monitor_decide.confirm)
app.command("dismiss")(monitor_decide.dismiss)
app.command("show")(monitor_decide.show)
