"""`rubric-engine view`: runs in the browser, live while they go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli.hiding import Redact
from rubric_engine.cli.serving import Host, NoOpen, Port, TokenFile

if TYPE_CHECKING:
    from rubric_engine.web.viewing.shelf import Shelf

PORT = 8407
"""Taken where no other is given and it is free."""


def view(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Runs: paths, ends of names, or latest."),
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    redact: Redact = None,
    port: Port = None,
    host: Host = "127.0.0.1",
    token_file: TokenFile = None,
    no_open: NoOpen = False,
) -> int:
    """Show runs in the browser: all of yours, or some; it changes nothing."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.serving import open_page, require_web
    from rubric_engine.runs import find_run

    require_web()
    from rubric_engine.web.serving import Ending
    from rubric_engine.web.viewing.app import view_app
    from rubric_engine.web.viewing.shelf import Shelf

    bases, ending = run_bases(runs), Ending()
    only = list(dict.fromkeys(find_run(name, bases).resolve() for name in names or ()))
    shelf = Shelf(bases, only, redact or ())
    _tell(shelf, bases)
    open_page(
        view_app(shelf, ending),
        ending,
        host=host,
        port=port,
        usual=PORT,
        token_file=token_file,
        no_open=no_open,
    )
    return 0


def _tell(shelf: Shelf, bases: list[Path]) -> None:
    """Say how many runs there are, and of which nothing can be shown."""
    from rubric_engine.cli.output import counted, note, printable
    from rubric_engine.runs import runs_in

    page, why = shelf.page()
    note(counted(len(page["runs"]), "run"))
    for text in why:
        note(f"warning: not shown: {printable(text)}")
    strangers = 0 if shelf.is_chosen else sum(not run.ours for run in runs_in(bases))
    if strangers:
        note(f"passed over {counted(strangers, 'run')} that you did not make; a path shows them")
