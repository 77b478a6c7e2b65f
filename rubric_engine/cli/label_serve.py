"""`rubric-engine label serve`: a page on which one person labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli.serving import Host, NoOpen, Port, TokenFile

if TYPE_CHECKING:
    from rubric_engine.web.labelling.desk import Desk

PORT = 8408
"""Taken where no other is given and it is free."""


def serve(
    name: Annotated[str, typer.Option("--as", help="Who labels.")],
    submission: Annotated[
        Path | None, typer.Argument(help="Folder or tar of the submission.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Task: a name or a folder.")] = None,
    rubric: Annotated[Path | None, typer.Option(help="Rubric, in place of a task.")] = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the labels, of `assign`.")
    ] = None,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide what others disagree on.")
    ] = False,
    run: Annotated[
        str | None, typer.Option(help="Correct a run's judge; such labels are not blind.")
    ] = None,
    executed: Annotated[
        bool, typer.Option("--executed", help="The submission was run already.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Log of that run, with --executed.")] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    port: Port = None,
    host: Host = "127.0.0.1",
    token_file: TokenFile = None,
    no_open: NoOpen = False,
) -> int:
    """Label in the browser, one leaf at a time, blind."""
    from rubric_engine.cli.serving import open_page, require_web

    require_web()
    from rubric_engine.cli.label_desks import case_of, correcting, planned
    from rubric_engine.web.labelling.app import label_app
    from rubric_engine.web.serving import Ending

    of_a_submission = task or rubric or plan or log or executed or adjudicate
    _require_one(submission, run, narrowed=bool(of_a_submission))
    if submission is None:
        desk = correcting(run or "", name, runs)
    else:
        case = case_of(submission, task, rubric, executed=executed, log=log)
        desk = planned(case, submission, name, plan, adjudicate=adjudicate)
    with desk.book.held():
        _tell(desk)
        open_page(
            label_app(desk),
            Ending(),
            host=host,
            port=port,
            usual=PORT,
            token_file=token_file,
            no_open=no_open,
        )
    return 0


def _require_one(submission: Path | None, run: str | None, *, narrowed: bool) -> None:
    from rubric_engine.errors import UsageError

    if (submission is None) == (run is None):
        raise UsageError(
            "give a submission, or --run RUN to correct a judge",
            fix=["rubric-engine label serve SUBMISSION --task TASK --as NAME"],
        )
    if run is not None and narrowed:
        raise UsageError(
            "--run takes all from the run; what is said of a submission does not go with it",
            fix=["rubric-engine label serve --run RUN --as NAME"],
        )


def _tell(desk: Desk) -> None:
    """Say what waits, and where labels go."""
    from rubric_engine.cli.label_saved import saved_notes
    from rubric_engine.cli.output import leaves, note, printable

    for text in saved_notes(desk.book.path):
        note(text)
    done = sum(key in desk.book.labels.labels for key in desk.leaves)
    kinds = {"label": "to label", "adjudicate": "to decide", "correct": "to look at"}
    note(f"{leaves(len(desk.leaves))} {kinds[desk.kind]}, {done} done, for {printable(desk.name)}")
    for what, how in desk.lacking:
        note(f"note: {what}" + (f"\n      {how}" if how else ""))
    if desk.kind == "correct":
        note('warning: the judge\'s verdicts are in sight: labels are kept with "blind": false')
