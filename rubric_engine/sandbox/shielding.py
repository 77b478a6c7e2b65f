"""Keeping the environment and the memory of this process from the scripts that it runs."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
_lock = threading.Lock()
_inside = 0
_changed = False


@contextmanager
def shielded() -> Iterator[None]:
    """Let no other process of this user read our environment or memory.

    Linux only, and no help against a script that runs as root. Other processes of the user, such
    as the shell that started us, are as readable as before.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside, _changed
    with _lock:
        _inside += 1
        if _inside == 1 and sys.platform == "linux" and _prctl(_GET_DUMPABLE) == 1:
            _changed = _prctl(_SET_DUMPABLE, 0) == 0


def _leave() -> None:
    global _inside, _changed
    with _lock:
        _inside -= 1
        if _inside == 0 and _changed:
            _prctl(_SET_DUMPABLE, 1)
            _changed = False


def _prctl(option: int, value: int = 0) -> int:
    result: int = ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)
    return result
