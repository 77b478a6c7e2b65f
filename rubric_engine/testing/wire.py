"""The little of HTTP/1.1 that a scripted endpoint needs.

Own code on asyncio's streams, since faults live on the wire: a connection that is reset in the
middle of a body is what a proper server library takes care not to send.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from http import HTTPStatus

BUFFER_BYTES = 1 << 22  # of the reader: large bodies come in few pieces


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response.

    Attributes:
        cut_at: Bytes of the body after which the connection is reset; None sends all of it.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    cut_at: int | None = None


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection, or None where it ended."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, path, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await _read_body(reader, headers)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
        return None
    return HttpRequest(method, path, headers, body)


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    pieces = []
    while size := int(await reader.readline(), 16):
        pieces.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(pieces)


async def send(writer: asyncio.StreamWriter, response: HttpResponse) -> bool:
    """Send a response; whether all of it went to a client that was still there."""
    try:
        writer.write(_head(response) + response.body[: response.cut_at])
        await writer.drain()
    except ConnectionError:
        return False
    if response.cut_at is not None:
        _reset(writer)
    return not writer.is_closing()


def _head(response: HttpResponse) -> bytes:
    known = {status.value for status in HTTPStatus}
    phrase = HTTPStatus(response.status).phrase if response.status in known else "Scripted"
    lines = [
        f"HTTP/1.1 {response.status} {phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(response.body)}",
        *(f"{name}: {value}" for name, value in response.headers),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close so that the other side sees a reset, not an end."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
