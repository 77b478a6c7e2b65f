"""The JSON file of a snapshot: the index and the parts of an export."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError

from rubric_engine.errors import RunError
from rubric_engine.files import File, FileIndex, Kind
from rubric_engine.submission.export import stays_inside
from rubric_engine.submission.tree import reason_of

_FORMAT = 1
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Part:
    """A folder, file or link of an export.

    Attributes:
        path: Relative to the root.
        kind: Which of the three.
        sha256: Hash of a file's content.
        executable: Whether a file is executable.
        target: What a link points to.
    """

    path: str
    kind: Literal["file", "folder", "link"]
    sha256: str | None = None
    executable: bool = False
    target: str | None = None


_Text = InstanceOf[str]
"""Names that are no UTF-8 hold surrogates, which pydantic's own text may not."""


class _Kept(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Entry(_Kept):
    path: _Text
    size: int = Field(ge=0)
    sha256: _Text | None
    kind: Kind
    skipped: _Text | None = None


class _Part(_Kept):
    path: _Text
    kind: Literal["file", "folder", "link"]
    sha256: _Text | None = None
    executable: bool = False
    target: _Text | None = None


class _Document(_Kept):
    snapshot: int
    name: _Text
    called: _Text = ""
    files: list[_Entry]
    parts: list[_Part]


Names = tuple[str, str]
"""The submission's own name, and what it is called."""


def dump_parts(names: Names, files: FileIndex, parts: tuple[Part, ...]) -> str:
    """The text of the file, in ASCII so that names that are no UTF-8 survive."""
    name, called = names
    document = {
        "snapshot": _FORMAT,
        "name": name,
        **({"called": called} if called and called != name else {}),
        "files": [asdict(file) for file in files.entries],
        "parts": [asdict(part) for part in parts],
    }
    return json.dumps(document, ensure_ascii=True)


def parse_parts(place: Path) -> tuple[Names, FileIndex, tuple[Part, ...]]:
    """Names, index and parts out of the file.

    Raises:
        RunError: It is missing or damaged.
    """
    try:
        if place.exists() and not place.is_file():  # a pipe would be waited for
            raise ValueError("it is no regular file")
        found = json.loads(place.read_bytes())
        if found["snapshot"] != _FORMAT:
            raise ValueError("its format is of another version")
        document = _Document.model_validate(found)
        files = FileIndex.of(File(**dict(entry)) for entry in document.files)
        parts = tuple(Part(**dict(part)) for part in document.parts)
        _check(files, parts)
        return (document.name, document.called), files, parts
    except OSError as error:
        raise RunError(f"snapshot {place} cannot be read: {reason_of(error)}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(
            f"snapshot {place} is damaged: {_why(error)}", code="E522", fix=["start a new run"]
        ) from error


def _why(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _check(files: FileIndex, parts: tuple[Part, ...]) -> None:
    """Make sure that no name in the file leads anywhere else."""
    for file in files:
        _check_hash(file.sha256)
    for part in parts:
        if any(name in ("", ".", "..") for name in part.path.split("/")):
            raise ValueError(f"{part.path!r} is no path of a submission")
        if part.kind == "file":
            _check_hash(part.sha256)
        if part.kind == "link" and not stays_inside(part.path, part.target or "/"):
            raise ValueError(f"{part.path!r} leads out of the submission")


def _check_hash(sha256: str | None) -> None:
    if sha256 is None or not _SHA256.fullmatch(sha256):
        raise ValueError(f"{sha256!r} is no hash")
