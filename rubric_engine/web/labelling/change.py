"""One change of somebody's labels, and what is said where it failed half way."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.errors import RubricEngineError, StorageError
from rubric_engine.judgeeval.labelling.history import Step


@dataclass
class Change:
    """A change that was begun.

    Attributes:
        before: What its leaves had.
        undoes: Whether it takes the last one back.
        is_kept: Whether it is in the record, as far as that is known.
    """

    before: Step
    undoes: bool = False
    is_kept: bool = False


class UnreachableError(StorageError):
    """The system gives no access to a file at the moment, as where too many are open."""

    default_code = "E909"


def told(
    error: RubricEngineError | OSError, change: Change, *, is_written: bool, is_known: bool
) -> RubricEngineError:
    """What is said of a change that failed: always whether it is kept.

    Args:
        error: What went wrong.
        change: The change.
        is_written: Whether it was written before that.
        is_known: Whether it is known what was kept of it.
    """
    if isinstance(error, RubricEngineError) and not is_written:
        return error
    why = error.message if isinstance(error, RubricEngineError) else unreachable(error).message
    if not is_known:
        said = "it is not known yet whether this is kept; look again before you save again"
    else:
        said = "this is kept" if change.is_kept else "this is not kept"
    return UnreachableError(f"{said}: {why}", fix=[_FIX])


def unreachable(error: OSError) -> UnreachableError:
    """A system error in words.

    Args:
        error: What the system said.
    """
    why = f"a file cannot be reached: {error.strerror or type(error).__name__}"
    return UnreachableError(why, fix=[_FIX])


_FIX = "close what else holds many files open, or free the disk, and try again"
