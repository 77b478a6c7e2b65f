"""What a file says, under a keyed hash that only this user's engine can make."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict

from rubric_engine.isolation import LogFile
from rubric_engine.lookup import is_file
from rubric_engine.state import seal


class Sealed(BaseModel):
    """A record with a keyed hash of all that it says.

    Attributes:
        mark: The keyed hash.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ClassVar[str]
    mark: str | None = None

    def sealed(self) -> Self:
        """The same with its mark."""
        return self.model_copy(update={"mark": self._seal()})

    @property
    def is_ours(self) -> bool:
        """Whether this user's engine wrote it as it stands."""
        return self.mark is not None and self.mark == self._seal()

    def _seal(self) -> str | None:
        content = self.model_dump(mode="json", exclude={"mark"})
        return seal(self.kind, json.dumps(content, sort_keys=True))


def hash_of(path: Path) -> str:
    """Hash of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def log_as_written(path: Path, sha256: str | None) -> LogFile | None:
    """The log's file where it is as it was written; a shorter log stands in the record itself."""
    with suppress(OSError):
        if is_file(path) and not path.is_symlink() and hash_of(path) == sha256:
            return LogFile(path)
    return None
