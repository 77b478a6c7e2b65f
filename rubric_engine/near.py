"""Near misses: what a person may have meant by a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near(name: str, names: Iterable[str]) -> str | None:
    """Return ``did you mean 'x'?`` for the closest of `names`, or None if none is close.

    A name that is among them was not misspelt, so nothing else is offered.
    """
    known = list(names)
    found = [] if name in known else difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"did you mean {found[0]!r}?" if found else None
