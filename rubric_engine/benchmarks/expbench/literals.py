"""Values inside the cells of a CSV: lists as Python writes them, and JSON that may be Python's."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

from rubric_engine.benchmarks.expbench.escapes import decode
from rubric_engine.rubric_file.models import too_deep

MAX_CELL = 4_000_000
"""Characters of the longest cell that is read as a literal; the whole data set has 2.4 million."""

# An escape of Python that JSON does not have; pairs of backslashes are passed over.
_HEX = re.compile(r"(\\\\)|\\x([0-9a-fA-F]{2})")


class NotLiteralError(ValueError):
    """A cell holds no such value; the text says why."""


class TwiceError(NotLiteralError):
    """A key stands twice in a mapping."""


def literal(cell: str) -> Any:
    """The value of a Python literal, its texts decoded.

    Nothing in it is run: only literals are read.

    Raises:
        NotLiteralError: It is none, is too long or nests too deeply.
    """
    if len(cell) > MAX_CELL:
        raise NotLiteralError(f"it has {len(cell):,} characters, at most {MAX_CELL:,} are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            value = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError) as error:
        where = getattr(error, "offset", None)
        at = f" (character {where})" if where else ""
        raise NotLiteralError(f"it is no Python literal{at}") from None
    return decoded(plain(value))


def json_value(cell: str) -> tuple[Any, bool]:
    r"""The value of JSON, its texts decoded.

    Returns:
        The value, and whether the cell was other than JSON: with Python's `\xd7`, or a mapping as
        Python writes it.

    Raises:
        NotLiteralError: It is neither, or a key stands twice.
    """
    if len(cell) > MAX_CELL:
        raise NotLiteralError(f"it has {len(cell):,} characters, at most {MAX_CELL:,} are read")
    for text in (cell, _HEX.sub(lambda found: found[1] or rf"\u00{found[2]}", cell)):
        try:
            return decoded(json.loads(text, object_pairs_hook=_once)), text != cell
        except TwiceError:
            raise
        except (ValueError, RecursionError):
            continue
    return literal(cell), True


def plain(value: Any) -> Any:
    """The value with lists for tuples.

    Raises:
        NotLiteralError: It holds what JSON does not have, or nests too deeply.
    """
    if isinstance(value, list | dict) and too_deep(value):
        raise NotLiteralError("it nests too deeply")
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(item) for key, item in value.items()}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise NotLiteralError(f"it holds a {type(value).__name__}")


def decoded(value: Any) -> Any:
    """The value with all its texts decoded, keys included.

    Raises:
        TwiceError: Two keys are then the same.
    """
    if isinstance(value, str):
        return decode(value)
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if isinstance(value, dict):
        return _once([(decode(key), decoded(item)) for key, item in value.items()])
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TwiceError(f"key {twice[:60]!r} stands twice")
    return found
