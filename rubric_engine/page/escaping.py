"""Untrusted text for markup."""

from __future__ import annotations

import html

from rubric_engine.visible import visible


def escaped(text: object, limit: int | None = None) -> str:
    """Untrusted text for markup: on one line, hidden characters visible, quotes escaped.

    Args:
        text: What is shown.
        limit: Cut to so many characters, with an ellipsis.
    """
    whole = str(text)
    if limit is not None and len(whole) > limit:
        whole = whole[: limit - 1] + "…"
    return html.escape("".join(" " if char in "\n\t" else visible(char) for char in whole))
