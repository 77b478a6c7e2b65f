"""The one door of our servers: every request passes it, whatever it asks for.

A page of another site, a name that was bound to this machine behind a browser's back, another user
of the machine: none of them has the cookie, and none sends the right Host and Origin. A server on
another port of the machine is sent the cookie, and has not the key.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rubric_engine.web.access import Access

MAX_BODY = 256_000
"""Bytes of the largest body that is read."""

MAX_TARGET = 4_000
"""Characters of the longest address that is answered; numbers of more digits are no numbers."""

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""What an answer may do in a browser if it says nothing else: nothing."""

HEADERS: Mapping[str, str] = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

KEY = "x-rubric-engine-key"
"""The header that holds the key."""

_ENTER = '<!doctype html><meta charset="utf-8"><title>rubric-engine</title>{keeping}'
_ENTER += '<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go on</a>'
# A redirect would not do: after one that another site led to, a strict cookie is not sent.

_KEEPING = "localStorage.setItem('rubric-engine.entry', '{key}')"  # where lib/asking.js looks


@dataclass(frozen=True)
class Names:
    """What a browser may call the server: the values of Host.

    Attributes:
        host: Address that the server listens on.
        port: Its port.
    """

    host: str
    port: int

    def fits(self, host: str) -> bool:
        """Whether a Host is one of ours."""
        name, known = host.lower(), set(self._known())
        if name in known:
            return True
        # Whoever reaches an address by its number needs no name service, so none can mislead.
        return self.is_open and name.endswith(f":{self.port}") and _is_number(name)

    @property
    def is_open(self) -> bool:
        """Whether it listens on every address of the machine."""
        return self.host in ("0.0.0.0", "::")  # noqa: S104  # asked about, not bound

    def _known(self) -> Iterator[str]:
        local = ("127.0.0.1", "localhost", "[::1]")
        names = (*local, _bracketed(self.host), socket.gethostname().lower())
        for name in names:
            yield f"{name}:{self.port}"
            if self.port == 80:
                yield name


class Guard:
    """Lets requests through that come from our own page, in a browser that was let in.

    Args:
        app: What is guarded.
        access: Token and cookies.
        names: What a browser may call the server.
    """

    def __init__(self, app: ASGIApp, access: Access, names: Names) -> None:
        self._app = app
        self._access = access
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        carried = _with_headers(send)
        request = Request(scope, receive)
        answer = self._refusal(request) or self._entry(request)
        if answer is None and request.method == "POST":
            try:
                body = await _body(request)
            except ClientDisconnect:
                return
            answer = None if body is not None else refusal(request, 413, "that is too much")
            receive = receive if body is None else _again(body)
        if answer is not None:
            await answer(scope, receive, carried)
        else:
            await self._app(scope, receive, carried)

    def _refusal(self, request: Request) -> Response | None:
        """Why a request is refused before anybody asks who it is from."""
        host = request.headers.getlist("host")
        if len(host) != 1 or not self._names.fits(host[0]):
            return refusal(request, 403, "this server is not called so")
        if request.method not in ("GET", "HEAD", "POST"):
            return refusal(request, 405, "only GET and POST")
        if len(request.scope["raw_path"]) + len(request.scope["query_string"]) > MAX_TARGET:
            return refusal(request, 414, "that address is too long")
        origins = request.headers.getlist("origin")
        if any(origin.lower() != f"http://{host[0].lower()}" for origin in origins):
            return refusal(request, 403, "a page of another site asked for this")
        if request.method == "POST" and not origins:
            return refusal(request, 403, "a POST without Origin")
        if request.method == "POST" and _media_type(request) != "application/json":
            return refusal(request, 415, "only application/json")
        return None

    def _entry(self, request: Request) -> Response | None:
        """Let in who brings the token, and refuse who brings neither token nor cookie and key."""
        session = request.cookies.get(self._access.cookie, "")
        known = self._access.knows(session)
        token = request.query_params.get("token")
        if request.scope["path"] != "/" or request.method != "GET" or token is None:
            return self._stop(request, session) if known else refusal(request, 403, _STRANGER)
        if known:
            return _entered(self._access.key_of(session) if self._access.fits(token) else None)
        made = self._access.admit(token)
        if made is None:
            return refusal(request, 403, _STRANGER)
        answer = _entered(self._access.key_of(made))
        answer.set_cookie(self._access.cookie, made, httponly=True, samesite="strict")
        return answer

    def _stop(self, request: Request, session: str) -> Response | None:
        """Refuse who has the cookie and no key all but the page, which says nothing by itself."""
        if request.scope["path"] == "/":
            return None
        keys = request.headers.getlist(KEY)
        if len(keys) == 1 and self._access.unlocks(session, keys[0]):
            return None
        return refusal(request, 403, _KEYLESS)


def _entered(key: str | None) -> Response:
    """A page that goes on to `/`, and first leaves a key in the browser's storage for it."""
    if key is None:
        return HTMLResponse(_ENTER.format(keeping=""))
    script = _KEEPING.format(key=key)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"{POLICY}; script-src 'sha256-{digest}'"
    page = _ENTER.format(keeping=f"<script>{script}</script>")
    return HTMLResponse(page, headers={"content-security-policy": policy})


_KEYLESS = "this window has not the key that the first address leaves in the browser: end the "
_KEYLESS += "command, start it again, and open the address that it prints"
_STRANGER = "open the address that the command printed; its token lets one browser in, once"


def refusal(request: Request, status: int, why: str) -> Response:
    """An answer that says no: JSON under /api, else a line of text.

    Args:
        request: What is answered.
        status: Its HTTP status.
        why: In words.
    """
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": why}, status)
    return PlainTextResponse(f"{HTTPStatus(status).phrase}: {why}\n", status)


def _with_headers(send: Send) -> Send:
    async def carried(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return carried


async def _body(request: Request) -> bytes | None:
    """The body of a request; None where it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return bytes(body)


def _again(body: bytes) -> Receive:
    """Hand a body that was read already to who reads it next."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.rpartition(":")[0].strip("[]"))
    except ValueError:
        return False
    return True


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host.lower()
