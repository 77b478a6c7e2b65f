"""Arithmetic that an answer shows: what stands behind `=` where it is right. Pure."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from rubric_engine.monitor.numbers import NUMBER, Number, numbers
from rubric_engine.python_text import parsed

Known = Callable[[float, int], bool]
"""Whether a number of that size, at so many decimal places, is given."""

_MOST = 200
_LONGEST = 200
_EQUALS = re.compile(r"[=\u2248]")
_ENDED = re.compile(r"[,.;]\s")
_LEFT = re.compile(r"[\d(][\d\s.,+*/()%\u00d7\u00f7\u00b7\u2212-]*$")
_PLAIN = str.maketrans(
    {"\u00d7": "*", "\u00b7": "*", "\u00f7": "/", "\u2212": "-", ",": None, "%": None}
)
_HUNDRED = 100.0


def worked_out(answer: str, known: Known) -> list[float]:
    """What an answer works out from given numbers, equation by equation, up to 200.

    An equation counts where its left side uses `+ - * /` on given numbers and on what earlier
    equations gave, and its right side is what that makes, at its rounding. Two further numbers may
    stand on the left: 100, and how many others there are, as in a mean.

    Args:
        answer: The answer.
        known: Tells which numbers are given.
    """
    found: list[float] = []

    def is_known(value: float, places: int) -> bool:
        return known(value, places) or any(_same(value, places, each) for each in found)

    for left, right in _equations(answer):
        if len(found) >= _MOST:
            break
        made = _value(left, is_known)
        if made is not None and _same(right.value, right.places, abs(made)):
            found.append(abs(made))
    return found


def _same(value: float, places: int, exact: float) -> bool:
    return abs(value - exact) <= 0.5 * 10.0**-places + 1e-9 * max(1.0, abs(exact))


def _equations(answer: str) -> Iterator[tuple[str, Number]]:
    for line in answer.splitlines():
        for left, right in pairwise(_EQUALS.split(line)):
            shown = _LEFT.search(_ENDED.split(left[-_LONGEST:])[-1])
            made = next(numbers(right[:_LONGEST].lstrip(" $*"), NUMBER), None)
            if shown is not None and made is not None and made.start <= 1:
                yield shown[0].strip(), made


def _value(left: str, is_known: Known) -> float | None:
    """What the left side makes; None where it is no arithmetic on known numbers."""
    written = list(numbers(left, NUMBER))
    rest = [each for each in written if not is_known(each.value, each.places)]
    if len(written) < 2 or any(each.value not in (_HUNDRED, len(written) - 1) for each in rest):
        return None
    try:
        body = parsed(left.translate(_PLAIN)).body
        made = _made(body[0].value) if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, ArithmeticError):
        return None
    return made if made is not None and math.isfinite(made) else None


def _made(node: ast.expr) -> float | None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]  # it is one of the two
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _made(node.operand)
        return None if inner is None else -inner
    if not isinstance(node, ast.BinOp):
        return None
    one, other = _made(node.left), _made(node.right)
    if one is None or other is None:
        return None
    match node.op:
        case ast.Add():
            return one + other
        case ast.Sub():
            return one - other
        case ast.Mult():
            return one * other
        case ast.Div():
            return one / other
    return None
