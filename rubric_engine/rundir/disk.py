"""What the system says of a failed write, in words that name the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rubric_engine.errors import StorageError


@contextmanager
def storing(what: str | Path, fix: str = "free space, or choose another place") -> Iterator[None]:
    """Turn what the system says of a failed write into a `StorageError` that names the place."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot write {what}: {error.strerror or error}", fix=[fix]) from None
