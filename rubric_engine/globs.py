"""Globs relative to a submission's root: what they match, and which are malformed. Pure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, Field


def matches(pattern: str, path: str) -> bool:
    """Whether a glob relative to the root names a path.

    ``src/*.py`` is one level, ``**/*.py`` any depth; a folder's name means everything in it.

    Raises:
        ValueError: The glob is malformed.
    """
    # No wildcard of a .gitignore stands for a newline; in a name it is a character like others.
    return _anchored(pattern).match_file(path.replace("\n", "_"))


def patterns(lines: Sequence[str]) -> GitIgnoreSpec:
    """Compile patterns as a .gitignore file holds them.

    Raises:
        ValueError: One of them is malformed.
    """
    try:
        with warnings.catch_warnings():
            # Python's own doubt about a set such as [[a]; what it means today is what we want.
            warnings.simplefilter("ignore", FutureWarning)
            # The quicker backends want valid UTF-8, which names of files need not be.
            return GitIgnoreSpec.from_lines(lines, backend="simple")
    except Exception as error:  # pathspec lets errors of several kinds through
        raise ValueError(f"malformed glob: {error}") from error


@lru_cache(maxsize=1024)
def _anchored(pattern: str) -> GitIgnoreSpec:
    try:
        return patterns(["/" + pattern.removeprefix("./").lstrip("/")])
    except ValueError:
        raise ValueError(f"malformed glob {pattern!r}") from None


def _well_formed(pattern: str) -> str:
    _anchored(pattern)
    return pattern


Glob = Annotated[str, Field(min_length=1), AfterValidator(_well_formed)]
"""A glob, checked when it is read."""
