"""Hearing a cancel also where much is copied."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from rubric_engine.sandbox.docker.faults import Fault


def unless_stopped(chunks: Iterable[bytes], stop: threading.Event) -> Iterator[bytes]:
    """The same chunks, until it is set.

    Raises:
        Fault: It is set.
    """
    for chunk in chunks:
        if stop.is_set():
            raise Fault("infra.lost", "the run was cancelled while files were copied", again=False)
        yield chunk
