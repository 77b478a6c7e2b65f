r"""Escapes that the CSV never decoded: `\u2019` or `\xa0` as six or four characters.

Only what an encoder would have written is decoded, that is characters beyond ASCII: `\n` in code
and names of folders stay what they are. To write a text that holds such characters for real, its
backslash is written as `\x5c`, which is decoded before nothing but such an escape.
"""

from __future__ import annotations

import re

_UNICODE = r"u(?:00[89a-fA-F]|0[1-9a-fA-F][0-9a-fA-F]|[1-9a-fA-F][0-9a-fA-F]{2})[0-9a-fA-F]"
_LATIN = r"x[89a-fA-F][0-9a-fA-F]"
_AHEAD = rf"(?=(?:x5c)*(?:{_UNICODE}|{_LATIN}))"

_ENCODED = re.compile(
    r"(?P<path>\b[A-Za-z]:\\[^\s\"'<>|]*)"  # a path of Windows
    r"|(?P<double>\\\\)"  # a backslash that was escaped itself
    rf"|(?P<slash>\\x5c){_AHEAD}"
    r"|(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rf"|(?P<one>\\(?:{_UNICODE}|{_LATIN}))"
)


def decode(text: str) -> str:
    r"""Decode the escapes of a text.

    >>> ascii(decode(r"3\xd72, print('\n'), C:\xa0\data"))
    '"3\\xd72, print(\'\\\\n\'), C:\\\\xa0\\\\data"'
    """
    return _ENCODED.sub(_character, text) if "\\" in text else text


def guarded(text: str) -> str:
    r"""The text as `decode` gives it back: backslashes that it would take for an escape, escaped.

    >>> decode(guarded(r"\u2019")) == r"\u2019"
    True
    """
    return _ENCODED.sub(_guard, text) if "\\" in text else text


def _guard(found: re.Match[str]) -> str:
    written = found[0]
    return written if found.lastgroup in ("path", "double") else r"\x5c" + written[1:]


def _character(found: re.Match[str]) -> str:
    written = found[0]
    match found.lastgroup:
        case "slash":
            return "\\"
        case "pair":
            high, low = int(written[2:6], 16), int(written[8:12], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        case "one":
            char = chr(int(written[2:], 16))
            return written if "\ud800" <= char <= "\udfff" else char
    return written
