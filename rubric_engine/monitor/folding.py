"""What expressions of a Python program come to, where they are made of strings that it says.

Nothing is run. A part that is unknown stands as `*`, or as nothing.
"""

from __future__ import annotations

import ast
import re

from rubric_engine.monitor.unscrambling import UNDOES, spelled, turned

MOST = 4000
"""Characters that an expression comes to, at most."""

_DEEPEST = 60
_PIECES = 50
"""Parts that a format is filled with, a list is joined of, or a replacement puts in."""

_KEEPS = frozenset(
    {"decode", "encode", "list", "lower", "lstrip", "quote", "rstrip", "split", "str", "strip"}
)
_CHANGES = _KEEPS.union(UNDOES, ("replace",))
_HOLE = re.compile(r"%[sdr]|\{\w*\}")

Names = dict[str, str]
"""What names were last set to; of a list, its strings with blanks between them."""


def dotted(node: ast.expr) -> str:
    """The name of a function: `requests.get`; of what `getattr` gets, the attribute's."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def listed(node: ast.expr, names: Names) -> str:
    """The strings of a list, a word each; of anything else, what it comes to."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return " ".join(folded(one, names, 1) for one in node.elts)[:MOST]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        terms = _terms(node)
        if any(isinstance(one, ast.List) for one in terms):
            return " ".join(listed(one, names) for one in terms)[:MOST]
    return folded(node, names, 1)


def folded(node: ast.AST, names: Names, depth: int = 0) -> str:
    """The string that an expression comes to; its parts that are unknown stand as `*`."""
    if depth > _DEEPEST:
        return ""
    match node:
        case ast.Constant(value=str() | bytes() as said):
            return said if isinstance(said, str) else said.decode("utf-8", "replace")
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.BinOp():
            return _operated(node, names, depth)
        case ast.JoinedStr(values=values):
            return "".join(folded(one, names, depth + 1) or "*" for one in values)[:MOST]
        case ast.FormattedValue(value=value):
            return folded(value, names, depth + 1)
        case ast.Subscript(value=value, slice=ast.Slice() as part):
            return folded(value, names, depth + 1)[_slice(part)]
        case ast.GeneratorExp() | ast.ListComp():
            return spelled(node)[:MOST]
        case ast.Call():
            return spelled(node)[:MOST] or _called(node, names, depth)
    return ""


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
        return _sum(node, names, depth)
    left = folded(node.left, names, depth + 1)
    if isinstance(node.op, ast.Mod):
        return _filled(left, _parts(node.right), names, depth)
    if isinstance(node.op, ast.Div):
        both = (left, folded(node.right, names, depth + 1))
        return "/".join(text for text in both if text)[:MOST]
    return ""


def _terms(node: ast.expr) -> list[ast.expr]:
    """The terms of a sum; a long one leans to the left, and is walked and not climbed."""
    terms: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        terms.append(node.right)
        node = node.left
    return [node, *reversed(terms[:MOST])]


def _sum(node: ast.BinOp, names: Names, depth: int) -> str:
    texts = [folded(one, names, depth + 1) for one in _terms(node)]
    return "".join(text or "*" for text in texts)[:MOST] if any(texts) else ""


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _filled(form: str, parts: list[ast.expr], names: Names, depth: int) -> str:
    given = iter(parts[:_PIECES])

    def put(place: re.Match[str]) -> str:
        one = next(given, None)
        return place[0] if one is None else folded(one, names, depth + 1)

    return _HOLE.sub(put, form)[:MOST]


def _called(call: ast.Call, names: Names, depth: int) -> str:
    """What `join`, `format`, `urljoin`, `Path`, `replace`, `b64decode` give, roughly."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    text = folded(of, names, depth + 1) if of is not None else ""
    if last == "format":
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return _filled(text, given, names, depth)
    if last == "join" and call.args:
        return _join(text, call.args, names, depth)
    if last in ("urljoin", "Path", "PurePosixPath"):
        return "/".join(folded(one, names, depth + 1).strip("/") for one in call.args)[:MOST]
    if last in _CHANGES:
        return _changed(last, text, [folded(one, names, depth + 1) for one in call.args[:2]])
    return ""


def _changed(name: str, text: str, given: list[str]) -> str:
    """What a function makes of the text that it belongs to, or that it is given."""
    if name in UNDOES:
        return UNDOES[name](given[0])[:MOST] if given else ""
    if name == "replace":
        old, new = given if len(given) == 2 else ("", "")
        return text.replace(old, new, _PIECES)[:MOST] if old else text
    kept = text or next(iter(given), "")
    return turned(kept, given[-1]) if given else kept


def _join(between: str, given: list[ast.expr], names: Names, depth: int) -> str:
    """What `between.join(list)` gives, or `os.path.join(part, part)`."""
    first = given[0]
    if isinstance(first, (ast.List, ast.Tuple)):
        parts = [folded(one, names, depth + 1) for one in first.elts[:_PIECES]]
        return between.join(parts)[:MOST]
    parts = [folded(one, names, depth + 1) for one in given[:_PIECES]]
    if len(given) > 1:
        return "/".join(parts)[:MOST]
    if isinstance(first, ast.Name):
        return between.join(parts[0].split()[:_PIECES])[:MOST]
    return parts[0]
