"""Runs an asynchronous context manager in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from typing import Any


class Background:
    """Holds a context open in an event loop of its own, between `start` and `stop`."""

    def __init__(self, context: AbstractAsyncContextManager[Any]) -> None:
        self._context = context
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._ended: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="scripted-server", daemon=True)

    def start(self) -> None:
        """Enter the context; an error of that is raised here."""
        self._thread.start()
        self._ready.result()

    def stop(self) -> None:
        """Leave the context; an error of that is raised here."""
        loop, stop = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join()
        self._ended.result()

    def _run(self) -> None:
        try:
            asyncio.run(self._hold())
            self._ended.set_result(None)
        except BaseException as error:  # noqa: BLE001  # belongs to the thread that waits for it
            waiting = self._ended if self._ready.done() else self._ready
            waiting.set_exception(error)

    async def _hold(self) -> None:
        async with self._context:
            stop = asyncio.Event()
            self._ready.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()
