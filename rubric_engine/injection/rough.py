"""A quick look by google-re2, for what a slower pattern of `re` finds: most texts have none."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _compiled(pattern: str) -> Any:
    import re2

    return re2.compile(pattern)


def may_hold(text: str, pattern: str) -> bool:
    """Whether a text may hold what is looked for.

    Args:
        text: The text, without halves of characters.
        pattern: For google-re2; it must find something wherever the slower pattern does.
    """
    return _compiled(pattern).search(text) is not None
