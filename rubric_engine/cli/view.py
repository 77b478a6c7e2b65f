"""`rubric-engine view`: runs in the browser, live while they go on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli.hiding import Redact
from rubric_engine.cli.serving import Host, NoOpen, Port, TokenFile

if TYPE_CHECKING:
    from rubric_engine.web.viewing.shelf import Shelf

PORT = 8407
"""Taken where no other is given and it is free."""

HERE = "127.0.0.1"


def view(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Runs: paths, ends of names, or latest."),
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    redact: Redact = None,
    port: Port = None,
    host: Host = HERE,
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
    _tell(shelf)
    open_page(
        view_app(shelf, ending, _command(names or (), runs, host, token_file)),
        ending,
        host=host,
        port=port,
        usual=PORT,
        token_file=token_file,
        no_open=no_open,
    )
    return 0


def _command(
    names: Sequence[str],
    runs: Path | None,
    host: str,
    token_file: Path | None,
) -> str:
    """What starts the same again; the page adds its port, and says whether patterns go with it."""
    words = ["rubric-engine", "view", *names]
    words += ["--runs", str(runs)] if runs is not None else []
    words += ["--host", host] if host != HERE else []
    words += ["--token-file", str(token_file)] if token_file is not None else []
    return shlex.join(words)


def _tell(shelf: Shelf) -> None:
    """Say how many runs there are, and of which nothing can be shown."""
    from rubric_engine.cli.output import counted, note, printable

    page = shelf.page()
    measured = sum(run["case"] is not None for run in page["runs"])
    also = f", {measured} of them by JudgeEval" if measured else ""
    note(counted(len(page["runs"]), "run") + also)
    for one in page["broken"]:
        note(f"warning: not shown: {printable(one['id'])}: {printable(one['why'])}")
    if page["strangers"]:
        passed = counted(page["strangers"], "run")
        note(f"passed over {passed} that you did not make; a path shows them")
