"""The socket and the server: one process, one port, ended by Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from rubric_engine.errors import UsageError
from rubric_engine.web.access import Access
from rubric_engine.web.connections import BACKLOG, Connection, quieten
from rubric_engine.web.guard import Guard, Names

LAST = 1
"""Seconds that answers which are under way may take once the server is told to end."""


class Ending:
    """Whether the server is told to end: it does, and streams leave off."""

    def __init__(self) -> None:
        self.is_told = False


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ending: Ending) -> None:
        super().__init__(config)
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending.is_told = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Whether to end now; asked about ten times a second."""
        return await super().on_tick(counter) or self._ending.is_told


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int, *, exact: bool) -> socket.socket:
    """A socket that listens.

    Args:
        host: Address.
        port: Port.
        exact: Whether no other port will do; else any that is free is taken in its place.

    Raises:
        UsageError: The port is taken, or the address is none of this machine's.
    """
    try:
        return _bound(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE and not exact:
            return _bound(host, 0)
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            code="E022",
            fix=["leave --port out   takes a port that is free"],
        ) from None


def _bound(host: str, port: int) -> socket.socket:
    [(family, *_, address)] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[:1]
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made


def serve(
    app: ASGIApp,
    sock: socket.socket,
    access: Access,
    host: str,
    *,
    ending: Ending,
    ready: Callable[[], None],
) -> None:
    """Serve until it is told to end.

    Args:
        app: What is served; `Guard` stands before it.
        sock: A socket that listens.
        access: Token and cookies.
        host: Address that was asked for.
        ending: Set once the server is told to end; setting it ends the server.
        ready: Called before the first request is taken.

    Raises:
        KeyboardInterrupt: A signal told it to end, and it has.
    """
    guarded = Guard(app, access, Names(host, sock.getsockname()[1]))
    config = uvicorn.Config(
        guarded,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,  # the first address holds the token, and no log shall
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=LAST,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=32_000,
    )

    async def run() -> None:
        quieten(asyncio.get_running_loop())
        await _Server(config, ending).serve(sockets=[sock])

    ready()
    asyncio.run(run())
