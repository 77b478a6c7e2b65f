"""The log of a run: on the disk of this machine, never in memory, however much is printed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from rubric_engine.bounded_log import cut_log
from rubric_engine.isolation import Limits, Log, LogFile
from rubric_engine.sandbox.redacting import Redactor
from rubric_engine.sandbox.ring import RingFile
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.writing import storage_error

_RECENT = 1024
_GAP = b"\n[... something may be missing here: the connection to the engine broke ...]\n"
_RING, _NAME = "ring", "reproduce.log"


class Kept(NamedTuple):
    """What is kept of a log: what judges are shown, and the file, unless a script took it away."""

    log: Log
    file: LogFile | None


class RunLog:
    """Takes the bytes of a log, in pieces of any size, and from one thread at a time.

    Args:
        limits: Of the log that judges are shown, and of its file.
        secrets: Values that are hidden in it.

    Attributes:
        recent: Its last bytes.
        gaps: How often something may have been lost; a line in the log stands at each.

    Raises:
        StorageError: There is no room for it.
    """

    def __init__(self, limits: Limits, secrets: Iterable[str] = ()) -> None:
        self._shown = limits.log_bytes
        self._redactor = Redactor(secrets)
        self._scratch = Scratch()
        self._error: OSError | None = None
        self._closed = False
        self._lock = threading.Lock()
        self.recent, self.gaps = b"", 0
        try:
            most = max(limits.log_bytes, limits.log_file_bytes)
            self._ring = RingFile(self._scratch.path / _RING, most)
        except OSError as error:
            raise storage_error(error, "writing the log") from error

    def feed(self, data: bytes) -> None:
        """Take the next bytes.

        A disk that refuses is told by `finish`: whoever prints must not come to stand still.
        """
        with self._lock:
            if not self._closed:
                self._write(self._redactor.feed(data))

    def feed_gap(self) -> None:
        """Mark that something may have been lost here."""
        self.gaps += 1
        self.feed(_GAP)

    def finish(self) -> Kept:
        """Take nothing more, and return what is kept.

        Raises:
            StorageError: The disk refused.
        """
        with self._lock:
            self._write(self._redactor.end())
            self._closed = True
        try:
            if self._error is not None:
                raise self._error
            return Kept(self._log(), self._whole())
        except OSError as error:
            raise storage_error(error, "writing the log") from error
        finally:
            self.close()

    def close(self) -> None:
        """Let go of it; what `finish` returned stays."""
        self._closed = True
        with suppress(OSError):
            self._ring.close()

    def _write(self, data: bytes) -> None:
        self.recent = (self.recent + data[-_RECENT:])[-_RECENT:]
        if self._error is None:
            try:
                self._ring.write(data)
            except OSError as error:
                self._error = error

    def _log(self) -> Log:
        """What judges are shown: beginning and end."""
        total = self._ring.total
        if total <= self._shown:
            return cut_log(b"".join(self._ring.read(0, total)), b"", total)
        head = self._shown // 2
        return cut_log(
            b"".join(self._ring.read(0, head)),
            b"".join(self._ring.read(total - (self._shown - head), total)),
            total,
        )

    def _whole(self) -> LogFile | None:
        """The file, in order. A script that nothing isolates may have removed the folder."""
        folder = self._scratch.descriptor
        try:
            whole = os.open(_NAME, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
        except FileNotFoundError:
            return None
        with open(whole, "wb") as file:  # noqa: PTH123 (a descriptor)
            file.writelines(self._ring.pieces())
        with suppress(FileNotFoundError):
            os.unlink(_RING, dir_fd=folder)
        return LogFile(self._scratch.path / _NAME, self._scratch)
