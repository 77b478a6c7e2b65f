"""The address of a Docker engine: where it is, as a person writes it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Literal, cast
from urllib.parse import urlsplit

from rubric_engine.errors import UsageError

LOCAL = "unix:///var/run/docker.sock"
"""Where an engine listens unless somebody said otherwise."""

Scheme = Literal["unix", "tcp", "ssh"]


@dataclass(frozen=True)
class Address:
    """Where an engine is.

    Attributes:
        scheme: How it is reached.
        path: Of the socket, for `unix`.
        host: Name or number of the machine, for the others.
        port: Its port, where one is given.
        user: Who logs in, for `ssh`, where it is given.
    """

    scheme: Scheme
    path: str = ""
    host: str = ""
    port: int | None = None
    user: str | None = None

    @property
    def login(self) -> str:
        """User and host, as `ssh` wants them."""
        return f"{self.user}@{self.host}" if self.user else self.host

    def __str__(self) -> str:
        if self.scheme == "unix":
            return f"unix://{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{self.scheme}://{user}{host}" + (f":{self.port}" if self.port else "")


def find_address(given: str | None) -> Address:
    """The address that was given, else that of DOCKER_HOST, else the local socket's.

    Raises:
        UsageError: It is none, or it holds a password.
    """
    text = given or os.environ.get("DOCKER_HOST") or LOCAL
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _wrong(text) from None
    if parts.password is not None:
        raise UsageError(
            "the address of an engine holds a password, which would end up in logs",
            fix=["ssh-copy-id USER@HOST, and an address without the password"],
        )
    if parts.scheme == "unix" and parts.path:
        return Address("unix", path=parts.path)
    if parts.scheme in ("tcp", "ssh") and parts.hostname and parts.path in ("", "/"):
        scheme = cast(Scheme, parts.scheme)
        return Address(scheme, host=parts.hostname, port=port, user=parts.username)
    raise _wrong(text)


def _wrong(text: str) -> UsageError:
    scheme, mark, _ = text.rpartition("://")
    shown = scheme + mark + re.split("://|@", text)[-1]  # before an @ may be a password
    return UsageError(
        f"{shown!r} is no address of an engine",
        looked=["an address is unix:///PATH, tcp://HOST:PORT or ssh://USER@HOST:PORT"],
        fix=["--engine ssh://USER@HOST:22, or unset DOCKER_HOST for the local engine"],
    )
