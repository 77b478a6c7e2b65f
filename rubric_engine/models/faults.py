"""An attempt that gave no answer, as an error body or the wire tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubric_engine.model import Usage
from rubric_engine.models.error_body import read_words
from rubric_engine.models.kinds import Kind, kind_of
from rubric_engine.models.refusals import named_parameter, refused_parameter
from rubric_engine.models.waits import asked_wait, duration


class AttemptFault(Exception):  # noqa: N818  # a way to end; it never leaves this package
    """An attempt that gave no answer.

    Attributes:
        kind: What went wrong.
        message: The server's words, without any key.
        status: HTTP status, where one came.
        wait: Seconds that the server asks to wait.
        parameter: What was refused, for the kind `parameter`.
        named: Which parameter the server's words are about, for the kind `rejected`.
        refused_connection: True where nothing listens at the address.
        usage: What the attempt used; None where nobody knows.
        generation: What the model wrote, for the kind `unfit`.
        adapted: True once another way to ask is known, so that it is worth asking again.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        status: int | None = None,
        wait: float | None = None,
        parameter: str | None = None,
        named: str | None = None,
        refused_connection: bool = False,
        usage: Usage | None = None,
        generation: str = "",
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.wait = wait
        self.parameter = parameter
        self.named = named
        self.refused_connection = refused_connection
        self.usage = usage
        self.generation = generation
        self.adapted = False

    @property
    def brief(self) -> str:
        """What went wrong, in a few words of ours."""
        if self.status is not None and self.status >= 400:
            return f"HTTP {self.status}"
        return _BRIEF.get(self.kind, "a failure")


_BRIEF: dict[Kind, str] = {
    "timeout": "no answer in time",
    "connection": "no connection",
    "garbled": "an answer that is no JSON",
}


def of_status(
    status: int, body: object, headers: Mapping[str, str], sent: Mapping[str, Any]
) -> AttemptFault:
    """Tell what an HTTP error means.

    Args:
        status: The HTTP status.
        body: The error body, decoded where it is JSON.
        headers: The response's headers, names in lower case.
        sent: The parameters of the request.
    """
    words = read_words(body)
    wait = asked_wait({**words.headers, **headers}, words.message)
    parameter = None
    named = named_parameter(words.message, words.parameter, sent)
    kind = kind_of(status, words)
    if kind in ("rejected", "missing"):
        parameter = refused_parameter(words.message, words.parameter, sent)
        kind = "parameter" if parameter else kind
    turned_away = 400 <= status < 500 and kind not in ("cut", "unfit")
    return AttemptFault(
        kind,
        words.message or f"HTTP {status}",
        status=status,
        wait=duration(words.wait) if wait is None else wait,
        parameter=parameter,
        named=named if kind == "rejected" else None,
        usage=Usage() if turned_away else None,
        generation=words.generation,
    )
