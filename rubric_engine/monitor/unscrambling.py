"""Undoing what hides a text in a program: base64, hexadecimal, rot13, numbers of letters."""

from __future__ import annotations

import ast
import base64
import codecs
from collections.abc import Callable, Iterable, Mapping

_DECODERS: Mapping[str, Callable[[str], bytes]] = {
    "b64decode": base64.b64decode,
    "fromhex": bytes.fromhex,
    "unhexlify": bytes.fromhex,
    "urlsafe_b64decode": base64.urlsafe_b64decode,
}
DECODERS = frozenset(_DECODERS)
"""Functions that decode, by the last part of their names."""


SPELLS = frozenset({"bytearray", "bytes", "chr", "map"})
"""Functions that `spelled` knows."""


def decoded(how: str, text: str) -> str:
    """What one of `DECODERS` makes of a text; nothing where it cannot."""
    try:
        return _DECODERS[how](text).decode("utf-8", "replace")
    except ValueError:
        return ""


def turned(text: str, codec: str) -> str:
    """A text that `codecs.decode` is given, where the codec is one for texts."""
    is_rot13 = codec.lower().replace("_", "").replace("-", "") == "rot13"
    return codecs.decode(text, "rot13") if is_rot13 else text


def spelled(node: ast.expr) -> str:
    """The text of `map(chr, [...])`, `(chr(c) for c in [...])` and `bytes([...])`, or nothing."""
    match node:
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="chr"), numbers]):
            return _letters(numbers)
        case ast.Call(func=ast.Name(id="bytes" | "bytearray"), args=[numbers]):
            return _letters(numbers)
        case ast.Call(func=ast.Name(id="chr"), args=[one]):
            return _letters(ast.List([one]))
        case (
            ast.GeneratorExp(
                elt=ast.Call(func=ast.Name(id="chr"), args=[ast.Name()]),
                generators=[ast.comprehension(iter=numbers, ifs=[])],
            )
            | ast.ListComp(
                elt=ast.Call(func=ast.Name(id="chr"), args=[ast.Name()]),
                generators=[ast.comprehension(iter=numbers, ifs=[])],
            )
        ):
            return _letters(numbers)
    return ""


def _letters(numbers: ast.expr) -> str:
    if not isinstance(numbers, (ast.List, ast.Tuple)):
        return ""
    return "".join(_characters(one.value for one in numbers.elts if isinstance(one, ast.Constant)))


def _characters(codes: Iterable[object]) -> Iterable[str]:
    return (chr(code) for code in codes if isinstance(code, int) and 0 < code < 0xD800)
