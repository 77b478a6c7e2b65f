"""What `view` and `label serve` share: their options, the doors, and what is printed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from rubric_engine.web.serving import Ending

Port = Annotated[
    int | None, typer.Option(min=1, max=65535, help="Port; by default, one that is free.")
]
Host = Annotated[str, typer.Option(help="Address to listen on; others want --token-file.")]
TokenFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A token that lets other machines in.")
]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")]


def require_web() -> None:
    """Refuse where the extra is not installed.

    Raises:
        UsageError: It is not.
    """
    from rubric_engine.errors import UsageError

    try:
        import starlette  # noqa: F401  # asked for, not used here
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise UsageError(
            f"this command serves pages, and {error.name} is not installed",
            code="E021",
            fix=["pip install 'rubric-engine[web]'"],
        ) from None


def open_page(
    app: ASGIApp,
    ending: Ending,
    *,
    host: str,
    port: int | None,
    usual: int,
    token_file: Path | None,
    no_open: bool,
) -> None:
    """Serve until Ctrl-C; print the first address.

    Args:
        app: What is served.
        ending: Set once the server is told to end.
        host: Value of `--host`.
        port: Value of `--port`.
        usual: Port that is taken where none is given and it is free.
        token_file: Value of `--token-file`.
        no_open: Value of `--no-open`.

    Raises:
        UsageError: The address may not or cannot be served.
        KeyboardInterrupt: It was told to end.
    """
    from rubric_engine.web.access import Access
    from rubric_engine.web.serving import listening, serve

    token = _token(host, token_file)
    with listening(host, port or usual, exact=port is not None) as sock:
        access = Access(sock.getsockname()[1], token)
        address = _address(host, sock.getsockname()[1])

        def ready() -> None:
            _announce(address, None if token is not None else access.token, no_open=no_open)

        serve(app, sock, access, host, ending=ending, ready=ready)


def _token(host: str, file: Path | None) -> str | None:
    """The token that a file holds; None where only this machine can come in, which needs none."""
    from rubric_engine.errors import UsageError
    from rubric_engine.web.access import token_in
    from rubric_engine.web.serving import is_loopback

    if file is None and not is_loopback(host):
        raise UsageError(
            f"--host {host}: other machines could reach it, and nothing would keep them out",
            code="E023",
            fix=["leave --host out", "--token-file FILE   with a token of 20 characters or more"],
        )
    return token_in(file) if file is not None else None


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _announce(address: str, token: str | None, *, no_open: bool) -> None:
    from rubric_engine.cli.output import note, say

    if token is None:
        say(address)
        note("open it with ?token= and what the token file holds   Ctrl-C ends")
        return
    say(f"{address}?token={token}")
    note("it lets in one browser, once   Ctrl-C ends")
    if not no_open and _has_browser():
        import webbrowser

        with suppress(webbrowser.Error):
            webbrowser.open(f"{address}?token={token}")


def _has_browser() -> bool:
    """Whether a window can be opened; a browser in the terminal would take it from us."""
    if not sys.stdout.isatty():
        return False
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform == "darwin" or bool(shown)
