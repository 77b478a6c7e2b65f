"""What comes over the wire, within bounds: the size of a body, and where requests may go."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

from rubric_engine.model import Usage
from rubric_engine.models.faults import AttemptFault

if TYPE_CHECKING:
    from httpx2 import URL, AsyncClient, Request, Response
else:
    AsyncClient = object  # whichever the SDK brings stands beside it in the class that is used

MOST_BYTES = 16 << 20
"""Of a response's body, as sent and as decoded; answers are a few kilobytes."""

ENCODINGS = "gzip, deflate"
"""What bodies may be packed by: both are unpacked up to a bound, and no further."""

_MOST_HOPS = 5
_PATHS = re.compile(r"/(chat/completions|decisions|systemone)$")
_ANY_FORMAT = zlib.MAX_WBITS | 32
_OF_TRANSFER = (b"content-encoding", b"content-length", b"transfer-encoding")


class Guarded(AsyncClient):
    """A client that reads no endless body and follows nobody elsewhere; for use as a mixin."""

    async def send(self, request: Request, **options: Any) -> Response:
        """Send a request, and read the response whole.

        Raises:
            AttemptFault: The body is too large, or the server wants the request sent elsewhere.
        """
        options |= {"stream": True, "follow_redirects": False}
        response = await super().send(request, **options)
        for _ in range(_MOST_HOPS):
            if response.next_request is None:
                break
            await response.aclose()
            _stay(request.url, response.next_request.url, response.status_code)
            response = await super().send(response.next_request, **options)
        try:
            return _whole(response, await _body(response))
        finally:
            await response.aclose()


def _stay(here: URL, there: URL, status: int) -> None:
    """Refuse to hand a prompt to another server than the one that was named."""
    if (here.scheme, here.host, here.port) == (there.scheme, there.host, there.port):
        return
    address = _PATHS.sub("", str(there.copy_with(query=None, fragment=None)))
    raise AttemptFault(
        "missing",
        f"it redirects to {address}, and nothing is sent there unless --base-url names it",
        status=status,
        usage=Usage(),
    )


async def _body(response: Response) -> bytes:
    pieces, size = [], 0
    async for piece in response.aiter_raw():
        size += len(piece)
        if size > MOST_BYTES:
            raise _too_large(response)
        pieces.append(piece)
    packed = b"".join(pieces)
    if not response.headers.get("content-encoding", "").strip(" ,").replace("identity", ""):
        return packed
    unpacking = zlib.decompressobj(_ANY_FORMAT)
    try:
        body = unpacking.decompress(packed, MOST_BYTES + 1)
    except zlib.error:
        told = "the response is packed in a way that was not asked for"
        raise AttemptFault("garbled", told, status=response.status_code) from None
    if len(body) > MOST_BYTES:
        raise _too_large(response)
    return body


def _too_large(response: Response) -> AttemptFault:
    told = f"the response is larger than {MOST_BYTES >> 20} MiB"
    return AttemptFault("garbled", told, status=response.status_code)


def _whole(response: Response, body: bytes) -> Response:
    headers = [item for item in response.headers.raw if item[0].lower() not in _OF_TRANSFER]
    return type(response)(
        response.status_code, headers=headers, content=body, request=response.request
    )
