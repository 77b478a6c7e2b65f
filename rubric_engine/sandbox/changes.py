"""What a run changed, by hashes taken before and after it and held outside the submission."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.files import FileIndex


@dataclass(frozen=True)
class Changes:
    """Paths of files, each sorted.

    Attributes:
        created: Were not there before.
        modified: Hold another content; times are never looked at.
        deleted: Are no longer there.
    """

    created: tuple[str, ...]
    modified: tuple[str, ...]
    deleted: tuple[str, ...]


def compare(before: FileIndex, after: FileIndex) -> Changes:
    """Compare two indexes made with the same patterns; only files that were hashed count."""
    old, new = _hashes(before), _hashes(after)
    return Changes(
        created=tuple(sorted(new.keys() - old.keys())),
        modified=tuple(sorted(path for path in new.keys() & old.keys() if new[path] != old[path])),
        deleted=tuple(sorted(old.keys() - new.keys())),
    )


def _hashes(files: FileIndex) -> dict[str, str]:
    return {file.path: file.sha256 for file in files.entries if file.sha256 is not None}
