"""Globs relative to a submission's root: what they match, and which are malformed. Pure."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, Field

# The bytes of a name that are no UTF-8; the matcher knows no such characters.
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


class Patterns(GitIgnoreSpec):
    """Compiled patterns, which take any name that a file can have.

    They are matched by google-re2, whose running time is linear in the name: names are untrusted.
    """

    def match_file(self, file: Any, separators: Collection[str] | None = None) -> bool:
        """See `pathspec.PathSpec.match_file`."""
        return super().match_file(_plain(file), separators)

    def check_file(self, file: Any, separators: Collection[str] | None = None) -> Any:
        """See `pathspec.PathSpec.check_file`."""
        return super().check_file(_plain(file), separators)


def _plain(name: str) -> str:
    # No wildcard of a .gitignore stands for a newline; in a name it is a character like others.
    return _HALF_CHARACTERS.sub("\ufffd", name.replace("\n", "_"))


def matches(pattern: str, path: str) -> bool:
    """Whether a glob relative to the root names a path.

    ``src/*.py`` is one level, ``**/*.py`` any depth; a folder's name means everything in it.

    Raises:
        ValueError: The glob is malformed.
    """
    return _anchored(pattern).match_file(path)


def reaches(pattern: str, folder: str) -> bool:
    """Whether the names of a glob may start with a folder, its part up to ``**`` taken."""
    parts = _rooted(pattern).split("/")[1 : folder.count("/") + 2]
    return "**" not in parts and matches("/".join(parts), folder)


def patterns(lines: Sequence[str]) -> Patterns:
    """Compile patterns as a .gitignore file holds them.

    Raises:
        ValueError: One of them is malformed.
    """
    try:
        with warnings.catch_warnings():
            # Python's own doubt about a set such as [[a]; what it means today is what we want.
            warnings.simplefilter("ignore", FutureWarning)
            lines = [_HALF_CHARACTERS.sub("\ufffd", line) for line in lines]
            return Patterns.from_lines(lines, backend="re2")
    except Exception as error:  # pathspec lets errors of several kinds through
        raise ValueError(f"malformed glob: {error}") from error


def _rooted(pattern: str) -> str:
    return "/" + pattern.removeprefix("./").lstrip("/")


@lru_cache(maxsize=1024)
def _anchored(pattern: str) -> Patterns:
    try:
        return patterns([_rooted(pattern)])
    except ValueError:
        raise ValueError(f"malformed glob {pattern!r}") from None


def _well_formed(pattern: str) -> str:
    _anchored(pattern)
    return pattern


Glob = Annotated[str, Field(min_length=1), AfterValidator(_well_formed)]
"""A glob, checked when it is read."""
