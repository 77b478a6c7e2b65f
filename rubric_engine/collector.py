"""Python's cyclic garbage collector, kept from walking what lives long over and over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def sparing_old_objects() -> Iterator[None]:
    """Collections that pass over all that is there now, modules for the most part, which stay.

    A walk over what a model's SDK alone imports takes as long as thirty calls. New objects are
    collected more rarely, old ones again afterwards. Nothing changes where somebody froze objects.
    """
    if gc.get_freeze_count() > 0:
        yield
        return
    young, *older = gc.get_threshold()
    gc.freeze()
    if 0 < young < _YOUNG:
        gc.set_threshold(_YOUNG, *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)
        gc.unfreeze()
