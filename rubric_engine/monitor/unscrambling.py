"""Undoing what hides a text in a program: base64, hexadecimal, turned round, numbers of letters."""

from __future__ import annotations

import ast
import base64
import codecs
from collections.abc import Callable, Iterable


def _bytes_of(decode: Callable[[str], bytes]) -> Callable[[str], str]:
    def said(text: str) -> str:
        try:
            return decode(text).decode("utf-8", "replace")
        except ValueError:
            return ""

    return said


_from_base64 = _bytes_of(lambda text: base64.b64decode("".join(text.split()) + "=="))
_from_hex = _bytes_of(bytes.fromhex)

UNDOES: dict[str, Callable[[str], str]] = {
    "a2b_base64": _from_base64,
    "a2b_hex": _from_hex,
    "b16decode": _from_hex,
    "b32decode": _bytes_of(base64.b32decode),
    "b64decode": _from_base64,
    "decodebytes": _from_base64,
    "fromhex": _from_hex,
    "reversed": lambda text: text[::-1],
    "standard_b64decode": _from_base64,
    "unhexlify": _from_hex,
    "urlsafe_b64decode": _bytes_of(lambda text: base64.urlsafe_b64decode(text + "==")),
}
"""Functions of Python, by the last part of their names, each with what it does."""


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
