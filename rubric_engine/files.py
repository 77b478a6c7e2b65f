"""The index of a submission as a value: which files there are, of which kind, which are skipped.

Pure: it decides from names and from the first bytes that its caller passes in. Kinds follow the
content, never the suffix.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from rubric_engine.globs import matches

Kind = Literal[
    "text", "notebook", "image", "parquet", "archive", "binary", "lfs_pointer", "empty", "link",
    "special", "folder",
]  # fmt: skip

SNIFF_BYTES = 8192
"""How many first bytes of a file `sniff` wants."""

SKIP: tuple[str, ...] = (
    ".git/", ".hg/", ".svn/", "node_modules/", ".venv/", "venv/", "__pycache__/", ".pytest_cache/",
    ".mypy_cache/", ".ruff_cache/", ".ipynb_checkpoints/", ".tox/", ".nox/", "site-packages/",
    ".DS_Store",
)  # fmt: skip
"""What is skipped unless `task.yaml` says otherwise, as patterns of a .gitignore file."""


@dataclass(frozen=True, slots=True)
class File:
    """One entry of a submission.

    Attributes:
        path: Name relative to the root, parts joined by ``/``; bytes that are no UTF-8 stand as
            surrogate escapes.
        size: Bytes.
        sha256: Hash of the content; None where it was not read.
        kind: What it is, by content.
        skipped: Why no judge sees it, or None.
    """

    path: str
    size: int
    sha256: str | None
    kind: Kind
    skipped: str | None = None


@dataclass(frozen=True)
class FileIndex:
    """All entries of a submission, sorted by path."""

    entries: tuple[File, ...]

    @classmethod
    def of(cls, entries: Iterable[File]) -> FileIndex:
        """Build the index from entries in any order."""
        return cls(tuple(sorted(entries, key=lambda file: file.path)))

    @cached_property
    def readable(self) -> dict[str, File]:
        """The files that a judge may see, by path."""
        return {file.path: file for file in self.entries if file.skipped is None}

    @cached_property
    def skipped(self) -> tuple[File, ...]:
        """The entries that no judge sees, each with its reason."""
        return tuple(file for file in self.entries if file.skipped is not None)

    def __iter__(self) -> Iterator[File]:
        return iter(self.readable.values())

    def __len__(self) -> int:
        return len(self.readable)

    def __getitem__(self, path: str) -> File:
        return self.readable[path]

    def __contains__(self, path: object) -> bool:
        return path in self.readable

    def glob(self, pattern: str) -> tuple[File, ...]:
        """The readable files that `pattern` names, sorted; see `matches`."""
        return tuple(file for file in self if matches(pattern, file.path))

    @cached_property
    def sha256(self) -> str:
        """Hash of all readable paths and contents."""
        digest = hashlib.sha256()
        for file in self:
            name = file.path.encode("utf-8", "surrogateescape")
            digest.update(name + b"\0" + (file.sha256 or file.kind).encode() + b"\0")
        return digest.hexdigest()


_SOURCE = frozenset(
    {".c", ".cc", ".cpp", ".cu", ".go", ".h", ".hpp", ".ipynb", ".java", ".jl", ".js", ".md"}
    | {".py", ".r", ".rs", ".rst", ".sh", ".tex", ".ts"}
)


def is_source(path: str) -> bool:
    """Whether a name is that of code or of a document, which a person writes and no run."""
    return PurePosixPath(path).suffix.lower() in _SOURCE


def sniff(head: bytes) -> Kind:
    """Tell the kind of a file from its first `SNIFF_BYTES` bytes."""
    if not head:
        return "empty"
    if head.startswith(b"version https://git-lfs.github.com/spec/v1"):
        return "lfs_pointer"
    for magic, kind in _MAGIC:
        if head.startswith(magic) and not _is_plain(head):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP" and not _is_plain(head):
        return "image"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "text"  # UTF-16 with its mark: full of NUL bytes, and text all the same
    if b"\0" in head or _control_share(head) > 0.1:
        return "binary"
    start = head.lstrip()
    if start.startswith(b"{") and b'"cells"' in head:
        return "notebook"
    return "text"


_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"PAR1", "parquet"),
    (b"PK\x03\x04", "archive"),
    (b"\x1f\x8b", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\x00", "archive"),
    (b"%PDF-", "binary"),
)


def _is_plain(head: bytes) -> bool:
    """Whether it is text without a doubt, whatever letters it starts with: `PAR1 = 0` is code."""
    if len(head.translate(None, _CONTROLS)) < len(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the cut may split a character
    except UnicodeDecodeError:
        return False
    return True


_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\b\x1b"))
"""Control characters that texts do not hold."""


def _control_share(head: bytes) -> float:
    return 1 - len(head.translate(None, _CONTROLS)) / len(head)
