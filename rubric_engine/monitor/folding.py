"""What expressions of a Python program that make strings come to, as far as that is plain.

Nothing is run: sums, formats, joins, slices and decoders of known strings are followed.
"""

from __future__ import annotations

import ast
import re

from rubric_engine.monitor.unscrambling import DECODERS, SPELLS, decoded, spelled, turned

MOST = 4000
"""Characters of a string that are followed."""

_PER_CHARACTER = 16
LEAST_ALLOWED = 20_000
"""Characters that are made of a program, however short it is."""

_DEEPEST = 60
_PIECES = 50
"""Parts that a string is joined or filled of, at most."""

_HOLE = re.compile(r"%[sdr]|\{\w*\}")
_KEEPS = frozenset(
    {"decode", "encode", "list", "lower", "lstrip", "quote", "rstrip", "split", "str", "strip"}
)
"""Functions that leave a string what it is, roughly."""


class Names:
    """What names of a program are set to: they stand for so much in all as its length allows.

    A name of one letter may stand for thousands of characters each time that it is used.

    Args:
        code: The program.
    """

    def __init__(self, code: str) -> None:
        self._set: dict[str, str] = {}
        self._left = LEAST_ALLOWED + _PER_CHARACTER * len(code)

    def put(self, name: str, text: str) -> None:
        """Set a name."""
        self._set[name] = text[:MOST]

    def get(self, name: str) -> str:
        """What a name is set to, as long as there is room for it."""
        text = self._set.get(name, "")
        if len(text) > self._left:
            return ""
        self._left -= len(text)
        return text


def folded(node: ast.AST, names: Names, depth: int) -> str:
    """The string that an expression comes to; its parts that are unknown stand as `*`."""
    if depth > _DEEPEST:
        return ""
    match node:
        case ast.Constant(value=str() | bytes() as said):
            return said if isinstance(said, str) else said.decode("utf-8", "replace")
        case ast.Name(id=name):
            return names.get(name)
        case ast.BinOp():
            return _operated(node, names, depth)
        case ast.JoinedStr(values=values):
            return "".join(folded(one, names, depth + 1) or "*" for one in values)[:MOST]
        case ast.FormattedValue(value=value):
            return folded(value, names, depth + 1)
        case ast.Call():
            return _called(node, names, depth)
        case ast.GeneratorExp() | ast.ListComp():
            return spelled(node)[:MOST]
        case ast.Subscript(value=value, slice=ast.Slice() as part):
            return folded(value, names, depth + 1)[_slice(part)]
    return ""


def dotted(node: ast.expr) -> str:
    """A name with dots, as far as it is one.

    >>> dotted(ast.parse("a.b", mode="eval").body)
    'a.b'
    """
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
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


def _operated(node: ast.BinOp, names: Names, depth: int) -> str:
    if isinstance(node.op, ast.Add):
        return _sum(node.left, node.right, names, depth)
    left = folded(node.left, names, depth + 1)
    if isinstance(node.op, ast.Mod):
        return _filled(left, _parts(node.right), names, depth)
    if isinstance(node.op, ast.Div):
        both = (left, folded(node.right, names, depth + 1))
        return "/".join(text for text in both if text)[:MOST]
    return ""


def _sum(left: ast.expr, right: ast.expr, names: Names, depth: int) -> str:
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


def _filled(form: str, parts: list[ast.expr], names: Names, depth: int) -> str:
    given = iter(parts[:_PIECES])

    def put(place: re.Match[str]) -> str:
        one = next(given, None)
        return place[0] if one is None else folded(one, names, depth + 1)

    return _HOLE.sub(put, form, count=_PIECES)[:MOST]


def _called(call: ast.Call, names: Names, depth: int) -> str:
    """What `join`, `format`, `os.path.join`, `urljoin`, `Path`, `replace` give, roughly."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    text = folded(of, names, depth + 1) if of is not None else ""
    if last == "format":
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return _filled(text, given, names, depth)
    if last == "join" and call.args:
        return _join(text, call.args, names, depth)
    if last == "reversed" and call.args:
        return folded(call.args[0], names, depth + 1)[::-1]
    if last == "replace" and len(call.args) > 1:
        old, new = (folded(one, names, depth + 1) for one in call.args[:2])
        return text.replace(old, new, MOST // max(1, len(new)))[:MOST] if old else text
    if last in DECODERS and call.args:
        return decoded(last, folded(call.args[0], names, depth + 1))[:MOST]
    if last in ("urljoin", "Path", "PurePosixPath"):
        return "/".join(folded(one, names, depth + 1).strip("/") for one in call.args)[:MOST]
    if last in SPELLS:
        return spelled(call)[:MOST]
    if last in _KEEPS:
        of_it = [folded(one, names, depth + 1) for one in call.args[:2]]
        return turned(text or of_it[0], of_it[-1]) if of_it else text
    return ""


def _join(between: str, given: list[ast.expr], names: Names, depth: int) -> str:
    """What `between.join(list)` gives, or `os.path.join(part, part)`."""
    first = given[0]
    whole = isinstance(first, (ast.List, ast.Tuple))
    listed = first.elts if isinstance(first, (ast.List, ast.Tuple)) else given
    parts = [folded(one, names, depth + 1) for one in listed[:_PIECES]]
    if whole or len(given) > 1:
        return (between if whole else "/").join(parts)[:MOST]
    if isinstance(first, ast.Name):  # a list stands as its strings with blanks between them
        return between.join(parts[0].split()[:_PIECES])[:MOST]
    return parts[0]
