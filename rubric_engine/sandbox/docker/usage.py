"""What a container uses: memory and CPU time by the engine's account, and room on its volume."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rubric_engine.sandbox.docker.faults import engine_errors
from rubric_engine.sandbox.docker.unlinked import unlinked_bytes

if TYPE_CHECKING:
    from docker import DockerClient

_FIRST_S, _EVERY_S = 0.5, 1.0
# Engines count all volumes at every question; this is the most of their time that goes into it.
_SHARE = 0.1
# Looks in a row at a volume that the engine cannot measure: one may be a folder that vanishes.
_BLIND_LOOKS = 2


class Usage:
    """Looks at a container's memory and CPU time now and then.

    Attributes:
        memory: Bytes at the last look, without the cache of files; None before one succeeded.
        peak_memory: The most that was seen.
        cpu_s: Seconds of CPU time at the last look.
    """

    def __init__(self, client: DockerClient, container: str) -> None:
        self._client, self._container = client, container
        self.memory: int | None = None
        self.peak_memory: int | None = None
        self.cpu_s: float | None = None

    def look(self) -> None:
        """Look once; an engine that does not say leaves all as it was."""
        with suppress(*engine_errors()):
            self._take(self._client.api.stats(self._container, stream=False, one_shot=True))

    def _take(self, told: Mapping[str, Any]) -> None:
        """Every field may be missing: engines differ, and an ended container has none."""
        memory = told.get("memory_stats") or {}
        if used := memory.get("usage"):
            detail = memory.get("stats") or {}
            cache = detail.get("total_inactive_file", detail.get("inactive_file", 0))
            self.memory = max(0, used - cache)
            self.peak_memory = max(self.peak_memory or 0, self.memory)
        if nanoseconds := ((told.get("cpu_stats") or {}).get("cpu_usage") or {}).get("total_usage"):
            self.cpu_s = nanoseconds / 1e9


class DiskWatch:
    """Measures a volume in a thread: no engine limits the size of an ordinary one.

    Files that have a name are counted by the engine; on this machine's, those that a process of
    the container holds open without one count as well. A volume with paths too long for the
    engine to measure counts as full: a script could hide any amount of bytes by making one.

    Args:
        client: Of the engine.
        volume: Its name.
        container: Name of the one that uses it.
        limit: Bytes.

    Attributes:
        full: Set once it holds more than the limit, or keeps from being measured.
    """

    def __init__(self, client: DockerClient, volume: str, container: str, limit: int) -> None:
        self._client, self._volume, self._limit = client, volume, limit
        self._container, self._id = container, ""
        self.full = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="rubric-engine-disk", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop measuring."""
        self._done.set()
        self._thread.join(_EVERY_S)

    def _watch(self) -> None:
        pause, named, next_count, blind = _FIRST_S, 0, 0.0, 0
        while not self._done.wait(pause) and not self.full.is_set():
            began = time.monotonic()
            if began >= next_count:
                named = self._named()
                blind = blind + 1 if named < 0 else 0
                next_count = began + (time.monotonic() - began) / _SHARE
            unnamed = self._unnamed(self._limit - named)
            if blind >= _BLIND_LOOKS or named + unnamed > self._limit:
                self.full.set()
            pause = _EVERY_S

    def _unnamed(self, enough: int) -> int:
        with suppress(*engine_errors()):
            self._id = self._id or self._client.api.inspect_container(self._container)["Id"]
        return unlinked_bytes(self._id, enough) if self._id else 0

    def _named(self) -> int:
        """Bytes; -1 where the engine's walk of the volume failed, as at a path that is too long.

        0 where it does not say, such as while it counts for somebody else.
        """
        with suppress(*engine_errors()):
            for volume in self._client.df()["Volumes"] or ():
                if volume["Name"] == self._volume:
                    return int((volume.get("UsageData") or {}).get("Size", 0))
        return 0
