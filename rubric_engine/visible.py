"""Characters that cannot be seen, as something that can."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def code_of(char: str) -> str:
    r"""The code of a character.

    >>> code_of("\u202e")
    '\\u{202e}'
    """
    return f"\\u{{{ord(char):x}}}"


def visible(char: str) -> str:
    """A character, or its code: of controls, format characters, surrogates and private use."""
    return code_of(char) if unicodedata.category(char) in _HIDDEN else char
