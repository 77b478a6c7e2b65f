"""A plain HTTP client: what is on the wire, without an SDK's reading of it."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any

from rubric_engine.testing import ScriptedServer

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "expected": {"type": "string"},
        "citations": {"type": "array", "items": {"$ref": "#/$defs/Citation"}},
        "met": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "$defs": {
        "Citation": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "line": {"type": "integer", "minimum": 1}},
        }
    },
}


@dataclass(frozen=True)
class Seen:
    """A response."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def choice(self) -> Any:
        return self.body["choices"][0]

    @property
    def text(self) -> str:
        content = self.choice["message"]["content"]
        assert isinstance(content, str)
        return content

    @property
    def data(self) -> Any:
        return json.loads(self.text)


def chat_body(
    *contents: str, schema: dict[str, Any] | None = SCHEMA, **more: Any
) -> dict[str, Any]:
    """A chat request: all but the last text are the system's."""
    *shared, last = contents
    messages = [{"role": "system", "content": text} for text in shared]
    body: dict[str, Any] = {
        "model": "m",
        "messages": [*messages, {"role": "user", "content": last}],
    }
    if schema is not None:
        form = {"name": "answer", "schema": schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body | more


def ask(server: ScriptedServer, *contents: str, **more: Any) -> Seen:
    """Send a chat request."""
    return send(server, "POST", "/v1/chat/completions", chat_body(*contents, **more))


def send(server: ScriptedServer, method: str, path: str, body: Any = None, key: str = "k") -> Seen:
    """Send any request; a body of bytes goes as it is."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    try:
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, raw, {"Authorization": f"Bearer {key}"})
        response = connection.getresponse()
        return Seen(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()
