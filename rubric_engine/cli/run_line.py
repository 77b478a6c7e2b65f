"""How a run of `reproduce.sh` goes on, on stderr: time, memory, and the log's last line."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rubric_engine.cli.output import note, printable
from rubric_engine.cli.pace import clock
from rubric_engine.cli.progress import on_terminal

if TYPE_CHECKING:
    from rubric_engine.sandbox.docker import Progress

_LINE_S = 30.0
_LOOK_S = 1.0
_WIDEST = 200


class RunLine:
    """One line that is written anew on a terminal; elsewhere one line every half a minute."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self._ended = threading.Event()

    def tell(self, progress: Progress) -> None:
        """Take what a sandbox knows; from any thread."""
        self._progress = progress

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show it while the body runs."""
        self._began = time.monotonic()
        thread = threading.Thread(target=self._show, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def text(self) -> str:
        """The line."""
        progress = self._progress
        parts = [f"running {clock(time.monotonic() - self._began)}"]
        if progress is not None and progress.memory is not None:
            parts.append(f"{progress.memory / 1e6:,.0f} MB")
        if progress is not None and progress.last_line:
            parts.append(printable(progress.last_line, _WIDEST))
        return "  ".join(parts)

    def _show(self) -> None:
        terminal, last = on_terminal(), time.monotonic()
        while not self._ended.wait(_LOOK_S):
            if terminal:
                width = shutil.get_terminal_size().columns - 1
                _write(f"\r\x1b[K{cut(self.text(), width)}")
            elif time.monotonic() - last >= _LINE_S:
                last = time.monotonic()
                note(self.text())
        if terminal:
            _write("\r\x1b[K")


def cut(text: str, width: int) -> str:
    """As much of a text as fits in so many columns of a terminal; some characters take two."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else set_cell_size(text, max(0, width))


def _write(text: str) -> None:
    with suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode("utf-8", "replace"))
