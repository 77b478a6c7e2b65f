"""Patterns by which a person names what is to be hidden."""

from __future__ import annotations

from typing import Any

from rubric_engine.errors import UsageError

_MAX_MEMORY = 32_000_000  # bytes that a pattern may take

_ANY_TEXT = b"ab c1.-_\nA 0"
"""Has places of every kind between its characters."""


def asked_for(pattern: str) -> Any:
    """A pattern of a person's, as google-re2 compiles it.

    Raises:
        UsageError: It is none, or fits empty places.
    """
    compiled = _compiled(pattern)
    samples = (b"", _ANY_TEXT)
    if any(one.start() == one.end() for text in samples for one in compiled.finditer(text)):
        raise UsageError(
            f"--redact {pattern!r} fits empty places, so it names nothing",
            code="E013",
            fix=["--redact 'project-[a-z]+'"],
        )
    return compiled


def _compiled(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise UsageError(
            f"google-re2 refuses the pattern {pattern!r}: {words}",
            code="E013",
            fix=["look-around and back-references are not part of google-re2"],
        ) from None
