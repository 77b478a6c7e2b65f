"""What a Python source defines and calls, read from its syntax tree; nothing is imported or run."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rubric_engine.python_text import parsed

Definable = Literal["function", "class", "constant"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a module defines; `name` is dotted with the classes that it lies in."""

    name: str
    type: Definable
    line: int


@dataclass(frozen=True, slots=True)
class CallSite:
    """A place where something is called.

    Attributes:
        written: The called name as it stands, dotted; what no name is stands as ``?``.
        resolved: The same with import aliases replaced by what they stand for.
        scopes: Names of the functions and classes around it, from the outside in.
        line: Line of the call.
    """

    written: str
    resolved: str
    scopes: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Module:
    """What was read of one source; `error` says why nothing was, where it does not parse."""

    definitions: tuple[Definition, ...] = ()
    calls: tuple[CallSite, ...] = ()
    error: str | None = None


def read_module(text: str, *, notebook: bool = False) -> Module:
    """Read a Python source, or the code cells of a Jupyter notebook.

    Args:
        text: The file's text.
        notebook: Whether it is a notebook; lines then count within its code cells.

    Returns:
        What it defines and calls. A source that does not parse (Python 2, a syntax error, nesting
        beyond what Python reads) gives a module with its `error`.
    """
    try:
        tree = parsed(_code_cells(text) if notebook else text)
    except (SyntaxError, ValueError) as error:
        return Module(error=f"does not parse: {getattr(error, 'msg', None) or error}")
    except (RecursionError, MemoryError):
        return Module(error="does not parse: nested too deeply")
    aliases = dict(_aliases(tree))
    definitions, calls = list[Definition](), list[CallSite]()
    for node, above in _walk(tree):
        definitions += _defined(node, above)
        if isinstance(node, ast.Call):
            calls.append(_call(node, above, aliases))
    return Module(tuple(definitions), tuple(calls))


def _code_cells(text: str) -> str:
    try:
        cells = json.loads(text)["cells"]
        sources = [cell["source"] for cell in cells if cell.get("cell_type") == "code"]
        code = "\n".join(each if isinstance(each, str) else "".join(each) for each in sources)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("no notebook") from error
    # Magics are no Python; a bare line in their place keeps the lines' numbers.
    lines = ("pass" if line.startswith(("%", "!")) else line for line in code.splitlines())
    return "\n".join(lines)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, tuple[_Scope, ...]]]:
    """All nodes in the order of the source, each with the functions and classes around it."""
    stack: list[tuple[ast.AST, tuple[_Scope, ...]]] = [(tree, ())]
    while stack:
        node, above = stack.pop()
        yield node, above
        inner = (*above, node) if isinstance(node, _SCOPES) else above
        children = list(ast.iter_child_nodes(node))
        children.reverse()
        stack.extend((child, inner) for child in children)


def _defined(node: ast.AST, above: tuple[_Scope, ...]) -> Iterator[Definition]:
    classes = [scope.name for scope in above if isinstance(scope, ast.ClassDef)]
    if isinstance(node, _SCOPES):
        kind: Definable = "class" if isinstance(node, ast.ClassDef) else "function"
        yield Definition(".".join([*classes, node.name]), kind, node.lineno)
    elif not any(isinstance(scope, _FUNCTIONS) for scope in above):
        for name in _assigned(node):
            yield Definition(".".join([*classes, name.id]), "constant", name.lineno)


def _assigned(node: ast.AST) -> Iterator[ast.Name]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Name):
            yield target
        elif isinstance(target, ast.Tuple | ast.List):
            targets.extend(target.elts)
        elif isinstance(target, ast.Starred):
            targets.append(target.value)


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that imports bind, with what they stand for; the dots of relative ones are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.asname, name.name) for name in node.names if name.asname)
        elif isinstance(node, ast.ImportFrom):
            prefix = f"{node.module}." if node.module else ""
            yield from ((name.asname or name.name, prefix + name.name) for name in node.names)


def _call(node: ast.Call, above: tuple[_Scope, ...], aliases: dict[str, str]) -> CallSite:
    parts: list[str] = []
    called: ast.expr = node.func
    while isinstance(called, ast.Attribute):
        parts.append(called.attr)
        called = called.value
    first = called.id if isinstance(called, ast.Name) else "?"
    rest = "".join(f".{part}" for part in reversed(parts))
    written, resolved = first + rest, aliases.get(first, first) + rest
    scopes = tuple(scope.name for scope in above)
    # Equal names are kept once: a source may hold as many calls as it has lines.
    return CallSite(sys.intern(written), sys.intern(resolved), scopes, node.lineno)
