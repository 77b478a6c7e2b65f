"""Near misses: what a person may have meant by a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near(name: str, names: Iterable[str]) -> str | None:
    """Return ``did you mean 'x'?`` for the closest of `names`, or None if none is close."""
    found = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"did you mean {found[0]!r}?" if found else None
