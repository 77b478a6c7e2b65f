"""What expressions of a Python program that make strings come to, as far as that is plain.

Nothing is run: sums, formats, joins, slices and decoders of known strings are followed.
"""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Callable, Mapping

MOST = 4000
"""Characters of a string that are followed."""

_DEEPEST = 60
_HOLE = re.compile(r"%[sdr]|\{\w*\}")
_DECODERS: Mapping[str, Callable[[str], bytes]] = {
    "b64decode": base64.b64decode,
    "fromhex": bytes.fromhex,
    "unhexlify": bytes.fromhex,
    "urlsafe_b64decode": base64.urlsafe_b64decode,
}


def folded(node: ast.AST, names: dict[str, str], depth: int) -> str:
    """The string that an expression comes to; its parts that are unknown stand as `*`."""
    if depth > _DEEPEST:
        return ""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(data)):
            return data.decode("utf-8", "replace")
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.BinOp():
            return _operated(node, names, depth)
        case ast.JoinedStr(values=values):
            return "".join(folded(one, names, depth + 1) or "*" for one in values)[:MOST]
        case ast.FormattedValue(value=value):
            return folded(value, names, depth + 1)
        case ast.Call():
            return _called(node, names, depth)
        case ast.Subscript(value=value, slice=ast.Slice() as part):
            return folded(value, names, depth + 1)[_slice(part)]
    return ""


def dotted(node: ast.expr) -> str:
    """A name with dots, as far as it is one.

    >>> dotted(ast.parse("a.b", mode="eval").body)
    'a.b'
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _slice(part: ast.Slice) -> slice:
    """The slice of a string; bounds that are unknown bound nothing."""
    return slice(*map(_bound, (part.lower, part.upper, part.step)))


def _bound(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value or None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value or None
    return None


def _operated(node: ast.BinOp, names: dict[str, str], depth: int) -> str:
    if isinstance(node.op, ast.Add):
        return _sum(node.left, node.right, names, depth)
    left = folded(node.left, names, depth + 1)
    if isinstance(node.op, ast.Mod):
        return _filled(left, _parts(node.right), names, depth)
    if isinstance(node.op, ast.Div):
        both = (left, folded(node.right, names, depth + 1))
        return "/".join(text for text in both if text)[:MOST]
    return ""


def _sum(left: ast.expr, right: ast.expr, names: dict[str, str], depth: int) -> str:
    """A sum of strings; a long one leans to the left, and is walked and not climbed."""
    parts = [right]
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        parts.append(left.right)
        left = left.left
    parts.append(left)
    texts = [folded(one, names, depth + 1) for one in reversed(parts[-MOST:])]
    return "".join(text or "*" for text in texts)[:MOST] if any(texts) else ""


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _filled(form: str, parts: list[ast.expr], names: dict[str, str], depth: int) -> str:
    given = iter(parts[:50])

    def put(place: re.Match[str]) -> str:
        one = next(given, None)
        return place[0] if one is None else folded(one, names, depth + 1)

    return _HOLE.sub(put, form)[:MOST]


def _called(call: ast.Call, names: dict[str, str], depth: int) -> str:
    """What `join`, `format`, `os.path.join`, `urljoin`, `Path`, `replace` give, roughly."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    text = folded(of, names, depth + 1) if of is not None else ""
    if last == "format":
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return _filled(text, given, names, depth)
    if last == "join" and call.args:
        first = call.args[0]
        listed = first.elts if isinstance(first, (ast.List, ast.Tuple)) else call.args
        between = text if isinstance(first, (ast.List, ast.Tuple)) else "/"
        return between.join(folded(one, names, depth + 1) for one in listed[:50])[:MOST]
    if last == "reversed" and call.args:
        return folded(call.args[0], names, depth + 1)[::-1]
    if last == "replace" and len(call.args) > 1:
        old, new = (folded(one, names, depth + 1) for one in call.args[:2])
        return text.replace(old, new, MOST // max(1, len(new)))[:MOST] if old else text
    if last in _DECODERS and call.args:
        return _decoded(last, folded(call.args[0], names, depth + 1))
    if last in ("urljoin", "Path", "PurePosixPath"):
        return "/".join(folded(one, names, depth + 1).strip("/") for one in call.args)[:MOST]
    if last in ("strip", "lower", "rstrip", "lstrip", "encode", "decode", "str", "quote"):
        return text or (folded(call.args[0], names, depth + 1) if call.args else "")
    return ""


def _decoded(how: str, text: str) -> str:
    try:
        return _DECODERS[how](text).decode("utf-8", "replace")[:MOST]
    except ValueError:
        return ""
