"""Characters that cannot be seen, as something that can."""

from __future__ import annotations

import unicodedata

UNSEEN = "[\\s\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
"""As a pattern: what a reader does not see before a text, blanks among it."""

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
