"""How YAML writes one value so that this package, and any YAML reader, reads the same value."""

from __future__ import annotations

import json
import re
from typing import Any

_WIDTH = 92
_NARROWEST = 60
_LONGEST_KEY = 120
"""YAML ends a key without a ``?`` after 1024 characters; escapes take six each."""

# Words and numbers that some reader takes for something other than text.
_WORD = re.compile(r"(?i:true|false|yes|no|on|off|y|n|null|inf|nan)")
_BLOCK_PLAIN = re.compile(r"[^\W\d_](?:[^:#]|:(?=[^\s:])|(?<=\S)#)*")
_FLOW_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]")
_GAP = re.compile(r"(?<=\S) (?=\S)")


class NotYamlError(ValueError):
    """YAML has no way to write this."""


def in_block(text: str, indent: str) -> list[str]:
    """A text as the value of a block mapping or list: its first line, then whole further lines."""
    if "\n" in text:
        return _literal(text, indent) or [quoted(text)]
    if not _is_plain(text, _BLOCK_PLAIN):
        long = len(text) > _WIDTH and text.isprintable() and text == text.strip()
        return _folded(text, indent) if long else [quoted(text)]
    return [text] if len(text) <= _WIDTH else _folded(text, indent)


def key_text(key: str) -> str:
    """A key of a mapping.

    Raises:
        NotYamlError: It is too long for YAML.
    """
    if len(key) > _LONGEST_KEY:
        raise NotYamlError
    return key if _is_plain(key, _FLOW_PLAIN) else quoted(key)


def flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, str):
        return value if _is_plain(value, _FLOW_PLAIN) else quoted(value)
    if isinstance(value, dict):
        pairs = (f"{key_text(key)}: {flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value)


def quoted(text: str) -> str:
    """A text in double quotes, everything escaped that does not print.

    Raises:
        NotYamlError: It holds a lone surrogate.
    """
    return _UNPRINTABLE.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise NotYamlError
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _is_plain(text: str, pattern: re.Pattern[str]) -> bool:
    return bool(
        pattern.fullmatch(text)
        and text.isprintable()
        and text[-1] not in " :"
        and not _WORD.fullmatch(text)
    )


def _folded(text: str, indent: str) -> list[str]:
    """Lines that YAML joins by single spaces."""
    lines = [">-"]
    line = ""
    width = max(_NARROWEST, _WIDTH - len(indent))
    for word in _GAP.split(text):
        if line and len(line) + len(word) >= width:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, indent + line]


def _literal(text: str, indent: str) -> list[str] | None:
    """Lines as they stand, or None where YAML would not keep them so."""
    body = text.rstrip("\n")
    lines = body.split("\n")
    blank = any(line and not line.strip() for line in lines)
    if not lines[0] or lines[0][0] == " " or blank or not all(map(str.isprintable, lines)):
        return None
    ends = len(text) - len(body)
    sign = "|-" if ends == 0 else "|" if ends == 1 else "|+"
    kept = [indent + line if line else "" for line in lines]
    return [sign, *kept, *[""] * (ends - 1)]
