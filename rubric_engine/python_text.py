"""Parsing Python that somebody else wrote, from any thread."""

from __future__ import annotations

import ast
import threading
import warnings

_one = threading.Lock()
"""Warnings are the process's, and a parser that another thread interrupts miscounts its depth."""


def parsed(text: str) -> ast.Module:
    """Parse a text as Python; no warning about it is shown.

    Args:
        text: The text.

    Raises:
        SyntaxError: It is no Python.
        ValueError: It holds a NUL, or a number that is too long.
        RecursionError: It is nested too deeply.
        MemoryError: It is nested too deeply for the parser's own stack.
    """
    with _one, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text.removeprefix("\ufeff"))
