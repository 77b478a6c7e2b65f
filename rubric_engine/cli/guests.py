"""Code of somebody else in this process: what it prints, and what it leaves behind."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from io import TextIOWrapper
from typing import NoReturn

_PATIENCE_S = 1.0


@contextmanager
def guest_output() -> Iterator[None]:
    """While the body runs, what is printed to stdout goes to stderr: stdout is the result's.

    So does what programs print that the body starts. Closing stdout meanwhile closes nothing.
    """
    with ExitStack() as stack:
        sys.stdout.flush()
        with suppress(OSError):  # without a stdout of the process there is none to guard
            kept = os.dup(1)
            stack.callback(_give_back, kept)
            os.dup2(2, 1)
        aside = _Aside()
        stack.callback(aside.end)
        stack.enter_context(redirect_stdout(aside))
        yield


class _Aside(TextIOWrapper):
    """A stream to where stderr goes; nowhere, where there is no stderr. It ends by `end` only."""

    def __init__(self) -> None:
        try:
            place: int | str = os.dup(2)
        except OSError:
            place = os.devnull
        file = open(place, "wb")  # noqa: SIM115, PTH123  # lives as long as this
        super().__init__(file, encoding="utf-8", errors="replace", line_buffering=True)

    def close(self) -> None:
        self.flush()

    def end(self) -> None:
        super().close()


def _give_back(kept: int) -> None:
    os.dup2(kept, 1)
    os.close(kept)


def leave(code: int) -> NoReturn:
    """End the process, also where a thread that somebody left would keep it alive.

    Args:
        code: The exit code; everything is printed and kept by now.
    """
    until = time.monotonic() + _PATIENCE_S
    for thread in _left():
        thread.join(max(0.0, until - time.monotonic()))
    if _left():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _left() -> list[threading.Thread]:
    here = threading.current_thread()
    return [each for each in threading.enumerate() if each is not here and not each.daemon]
