"""What a run changed, by hashes taken before and after it and held outside the submission."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rubric_engine.files import File, FileIndex
from rubric_engine.isolation import Omitted

_LEAST_COPY = 32
_NO_FILES = ("link", "special", "folder")


@dataclass(frozen=True)
class Changes:
    """Paths of files, each sorted.

    Attributes:
        created: Were not there before.
        modified: Hold another content, or one that can no longer be read or was too large to be
            taken out; times are never looked at.
        deleted: Are no longer there as files.
        copied: Those created or modified that only repeat what was handed in.
        same: Hold the content that they held.
    """

    created: tuple[str, ...]
    modified: tuple[str, ...]
    deleted: tuple[str, ...]
    copied: tuple[str, ...]
    same: tuple[str, ...]

    @property
    def produced(self) -> frozenset[str]:
        """What was made or changed and is no copy."""
        return frozenset(self.created).union(self.modified).difference(self.copied)


def compare(
    before: FileIndex,
    after: FileIndex,
    handed_in: Collection[str],
    left: Sequence[Omitted] = (),
    *,
    whole: bool = True,
) -> Changes:
    """Compare two indexes made with the same patterns; only files that were hashed count.

    Args:
        before: As it was.
        after: As it is.
        handed_in: Hashes of all contents that stood there before. A file of some size that has
            one of them was moved or copied; short ones, such as a single number, may well come
            out the same.
        left: What is there and was not taken out, and so is missing in `after`.
        whole: Whether `left` lists all of that; else nobody can tell what was deleted.
    """
    old, new = _hashed(before), _hashed(after)
    there = {file.path for file in after.entries if file.kind not in _NO_FILES}
    outside = {file.path: file.size for file in left if file.kind not in _NO_FILES}
    created = new.keys() - old.keys()
    modified = {
        path
        for path in old.keys() & there
        if path not in new or new[path].sha256 != old[path].sha256
    } | {path for path in old.keys() & outside.keys() if outside[path] != old[path].size}
    gone = old.keys() - there if whole else set()
    copied = {
        path
        for path in (created | modified) & new.keys()
        if new[path].size >= _LEAST_COPY and new[path].sha256 in handed_in
    }
    return Changes(
        created=tuple(sorted(created)),
        modified=tuple(sorted(modified)),
        deleted=tuple(sorted(gone - outside.keys())),
        copied=tuple(sorted(copied)),
        same=tuple(sorted((old.keys() & new.keys()) - modified)),
    )


def _hashed(files: FileIndex) -> dict[str, File]:
    return {file.path: file for file in files.entries if file.sha256 is not None}
