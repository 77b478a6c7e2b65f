"""Python's cyclic garbage collector, kept from walking what lives long over and over."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_YOUNG = 10_000  # new objects that make a collection; by 700 each call's would be walked many times


@contextmanager
def without_collecting() -> Iterator[None]:
    """No collection while much is read that stays.

    What was read lives long. Freezing and unfreezing puts it among the old objects without a walk,
    which the first collection afterwards would else make; not where somebody froze objects.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@dataclass
class _Sparing:
    """The collector's state is one for the process: the first in changes it, the last out undoes.

    Attributes:
        lock: Held while it is looked at and changed.
        inside: How many are in.
        before: The thresholds as the first found them; None where somebody had frozen objects.
        frozen: Objects that the first froze.
    """

    lock: threading.Lock
    inside: int = 0
    before: tuple[int, int, int] | None = None
    frozen: int = 0

    def enter(self) -> None:
        """Freeze, if this is the first and nobody has."""
        with self.lock:
            self.inside += 1
            if self.inside > 1 or gc.get_freeze_count() > 0:
                return
            self.before = young, *older = gc.get_threshold()
            gc.freeze()
            self.frozen = gc.get_freeze_count()
            if 0 < young < _YOUNG:
                gc.set_threshold(_YOUNG, *older)

    def leave(self) -> None:
        """Put back what the first changed, if this is the last."""
        with self.lock:
            self.inside -= 1
            if self.inside or self.before is None:
                return
            gc.set_threshold(*self.before)
            self.before = None
            # Ours become fewer as they die; where there are more, somebody has frozen others since.
            if gc.get_freeze_count() <= self.frozen:
                gc.unfreeze()


_sparing = _Sparing(threading.Lock())


@contextmanager
def sparing_old_objects() -> Iterator[None]:
    """Collections that pass over all that is there now, modules for the most part, which stay.

    A walk over what a model's SDK alone imports takes as long as thirty calls. New objects are
    collected more rarely, old ones again once the last body has ended, in whatever thread. Nothing
    changes where somebody froze objects, and what somebody freezes meanwhile stays frozen.
    """
    _sparing.enter()
    try:
        yield
    finally:
        _sparing.leave()
