"""Reading what a container prints while it runs: an unread container stands still."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rubric_engine.sandbox.docker.faults import engine_errors, engine_fault
from rubric_engine.sandbox.run_log import RunLog

if TYPE_CHECKING:
    from docker import DockerClient

_LAST_LINE = 200
_PATIENCE_S = 10.0


class Printed:
    """Standard output and error of a container, in one, read in a thread.

    Args:
        client: Of the engine.
        container: Its name; it need not have been started.
        log: Takes what is read; to be looked at after `close`.

    Attributes:
        ended: Set when nothing more comes, because the container ended or the engine went away.

    Raises:
        Fault: The engine does not answer.
    """

    def __init__(self, client: DockerClient, container: str, log: RunLog) -> None:
        self._client, self._container, self._log = client, container, log
        self.ended = threading.Event()
        self._broken = False
        self._attach()

    def again(self) -> None:
        """Go on where the connection broke; what was printed meanwhile is lost."""
        self._let_go()
        self._log.feed_gap()
        self._broken = False
        self.ended.clear()
        self._attach()

    @property
    def last_line(self) -> str:
        """The last line so far that holds anything, without control characters, cut."""
        lines = self._log.recent.decode("utf-8", "replace").replace("\r", "\n").split("\n")
        shown = ("".join(c for c in line if c.isprintable()).strip() for line in reversed(lines))
        return next((line for line in shown if line), "")[:_LAST_LINE]

    def close(self) -> None:
        """Wait for the last of it, if the container has ended; then let go.

        What breaks off meanwhile leaves a gap in the log.
        """
        self._let_go()
        if self._broken:
            self._log.feed_gap()

    def _let_go(self) -> None:
        self._thread.join(_PATIENCE_S)
        self._broken |= self._thread.is_alive()
        self._drop()

    def _attach(self) -> None:
        with engine_fault("attaching to the container"):
            self._socket: Any = self._client.api.attach_socket(
                self._container, params={"stdout": 1, "stderr": 1, "stream": 1}
            )
        self._thread = threading.Thread(target=self._read, name="rubric-engine-log", daemon=True)
        self._thread.start()

    def _drop(self) -> None:
        """Close the connection: what the client gives is one of several views of it."""
        response = getattr(self._socket, "_response", None)
        for view in (getattr(self._socket, "_sock", None), self._socket, response):
            if view is not None:
                with suppress(*engine_errors(), OSError, ValueError):
                    view.close()

    def _read(self) -> None:
        from docker.utils import socket as frames

        read: Callable[..., Iterator[tuple[int, bytes]]] = frames.frames_iter
        try:
            with suppress(*engine_errors(), OSError, ValueError):
                for _, data in read(self._socket, tty=False):
                    self._log.feed(data)
                return
            self._broken = True
        finally:
            self.ended.set()
