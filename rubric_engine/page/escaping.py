"""Untrusted text for markup."""

from __future__ import annotations

import html
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def escaped(text: object, limit: int | None = None) -> str:
    """Untrusted text for markup: on one line, hidden characters visible, quotes escaped.

    Args:
        text: What is shown.
        limit: Cut to so many characters, with an ellipsis.
    """
    whole = str(text)
    if limit is not None and len(whole) > limit:
        whole = whole[: limit - 1] + "…"
    return html.escape("".join(map(_visible, whole)))


def _visible(char: str) -> str:
    if char in "\n\t":
        return " "
    return f"\\u{{{ord(char):x}}}" if unicodedata.category(char) in _HIDDEN else char
