"""A real server in a thread of this process, and a browser's part in talking to it."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp

from rubric_engine.web.access import Access
from rubric_engine.web.serving import Ending, listening, serve


@dataclass
class Answer:
    """What a server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its body as JSON."""
        return json.loads(self.body)


@dataclass
class Browser:
    """Talks to a server as a browser would that was let in."""

    port: int
    token: str
    cookie: str = ""
    key: str = ""
    said: list[bytes] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """Origin of our own page."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def credentials(self) -> dict[str, str]:
        """Headers of a request that may ask."""
        known = {"Cookie": self.cookie, "X-Rubric-Engine-Key": self.key}
        return {name: value for name, value in known.items() if value}

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send one request; a header that is None is left out."""
        usual: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}"}
        usual |= self.credentials
        if method == "POST":
            usual |= {"Origin": self.origin, "Content-Type": "application/json"}
        opened = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with closing(opened) as connection:
            connection.putrequest(method, path, skip_host=True)
            for name, value in (usual | dict(headers or {})).items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            with connection.getresponse() as response:
                answer = Answer(
                    response.status,
                    {name.lower(): value for name, value in response.getheaders()},
                    response.read(),
                )
        self.said.append(answer.body)
        return answer

    def post(self, path: str, value: Any) -> Answer:
        """Send a value as our own page does."""
        return self.ask(path, method="POST", body=json.dumps(value).encode())

    def enter(self) -> Answer:
        """Open the first address, and keep the cookie and the key."""
        answer = self.ask(f"/?token={self.token}")
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0] or self.cookie
        found = re.search(rb"'([0-9a-f]{64})'", answer.body)
        self.key = found[1].decode() if found else self.key
        return answer


@contextmanager
def served(app: ASGIApp, ending: Ending | None = None, port: int = 0) -> Iterator[Browser]:
    """Serve an application, on any port if need be; the browser has not entered yet."""
    over, ready = ending or Ending(), threading.Event()
    with listening("127.0.0.1", port, exact=True) as sock:
        access = Access(sock.getsockname()[1])
        thread = threading.Thread(
            target=serve,
            args=(app, sock, access, "127.0.0.1"),
            kwargs={"ending": over, "ready": ready.set},
        )
        thread.start()
        assert ready.wait(20)
        try:
            yield Browser(sock.getsockname()[1], access.token)
        finally:
            over.is_told = True
            thread.join(20)
            assert not thread.is_alive()
