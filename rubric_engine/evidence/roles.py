"""What a file of a submission is to a judge: code, a document, the script, data, or no text."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

from rubric_engine.files import File, Kind

Role = Literal["code", "docs", "script", "data", "other"]

SCRIPT = "reproduce.sh"

_DOCS = frozenset({".adoc", ".md", ".markdown", ".org", ".rst", ".tex", ".txt"})
_CODE_NAMES = frozenset({"cmakelists.txt", "constraints.txt", "environment.txt"})
_DATA = frozenset(
    {".csv", ".dat", ".err", ".jsonl", ".lock", ".log", ".map", ".ndjson", ".out", ".svg", ".tsv"}
    | {".bib", ".vocab"}
)
_CONFIG = frozenset({".cfg", ".ini", ".json", ".toml", ".xml", ".yaml", ".yml"})
_CONFIG_BYTES = 20_000
_DOCS_BYTES = 200_000
_NOISE = frozenset({"copying", "license", "licence", "package-lock.json", "yarn.lock"})
NO_TEXT: frozenset[Kind] = frozenset(
    {"image", "parquet", "archive", "binary", "lfs_pointer", "link", "special", "folder"}
)
"""Kinds that a prompt names, and no more."""


def role(file: File) -> Role:
    """Tell the role from the kind, which follows the content, and then from the name.

    A text with a suffix that nobody knows is code: languages are many, and a judge that is not
    shown the code grades it as missing.
    """
    path = PurePosixPath(file.path.lower())
    if file.path == SCRIPT:
        return "script"
    if file.kind in NO_TEXT:
        return "other"
    if file.kind == "notebook" or path.name in _CODE_NAMES or path.name.startswith("requirements"):
        return "code"
    if path.stem in _NOISE or path.name in _NOISE or path.suffix in _DATA:
        return "data"
    if path.suffix in _CONFIG:
        return "code" if file.size <= _CONFIG_BYTES else "data"
    if path.suffix in _DOCS or path.stem == "readme":
        return "docs" if file.size <= _DOCS_BYTES else "data"
    return "code"


def is_readme(path: str) -> bool:
    """Whether a document is the submission's own introduction."""
    return "/" not in path and PurePosixPath(path.lower()).stem == "readme"
