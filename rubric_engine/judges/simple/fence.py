"""Fences around what others wrote, which its author cannot close."""

from __future__ import annotations

import re

_MARKER = re.compile(r"<<<(?=(?:end )?[\w ]{1,40}>>>)")


def neutral(text: str) -> str:
    """Break what looks like one of our markers in a text, and change nothing else."""
    return _MARKER.sub("<< <", text)
