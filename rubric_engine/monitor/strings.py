"""The strings of a Python program, put together as far as it says itself, and who gets them.

The program is parsed and never run. A name stands for what it was last set to, in whatever
function: that is enough to follow a URL to the call that fetches it.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rubric_engine.monitor.folding import LEAST_ALLOWED, MOST, Names, dotted, folded
from rubric_engine.python_text import parsed

_NETWORK = frozenset(
    {"urlopen", "urlretrieve", "Request", "get", "post", "put", "head", "request", "stream"}
    | {"get_repo", "snapshot_download", "hf_hub_download", "load_dataset", "from_pretrained"}
    | {"load_state_dict_from_url", "create_submodule", "create_remote", "add_remote", "get_file"}
    | {"install_github", "cached_download", "wget", "curl", "git", "HTTPConnection", "read_csv"}
    | {"HTTPSConnection", "read_json", "read_parquet", "read_html", "cached_path", "open_url"}
    | {"pull", "goto"}
)
_BEGINNINGS = ("clone", "download", "fetch")
_SHELL = frozenset(
    {"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput"}
    | {"getstatusoutput", "create_subprocess_shell", "create_subprocess_exec", "execvp", "execv"}
    | {"get_ipython", "sh", "execlp", "spawn", "run_line_magic", "exec_command"}
)
_OF_HUB = ("download_url_to_file", "help", "list", "load")
_BY_PLACE = re.compile(rf"(?:torch\.hub|hub)\.(?:{'|'.join(_OF_HUB)})$|\.get_repo$")
_CALLED = re.compile(
    r"(?:\([ \t\f\r\\]*+|(?:\bsa\b|\)[\"']|^|#|;)[ \t\f\r\\]*+)(?:"
    + "|".join(name[::-1] for name in sorted({*_NETWORK, *_SHELL, *_OF_HUB}))
    + r"|\w*(?:"
    + "|".join(name[::-1] for name in _BEGINNINGS)
    + r"))\b",
    re.MULTILINE,
)
"""Calls of these names, read backwards from their brackets: forwards, each word is looked at.

So are names that end a line, stand before `as`, or are what `getattr` gets: another name may be
called in their place.
"""

_PER_CHARACTER = 4
"""Characters of strings that are kept for each of a program: one is said where it stands, and where
it is given to a call."""

_OPENS = re.compile(r"^[ \t\f\r\\]*\(", re.MULTILINE)
"""A bracket that begins a line: the name that is called may stand on one before it."""

_TELLING = (ast.expr, ast.stmt, ast.keyword, ast.arguments, ast.pattern)
"""What holds strings or calls; signs such as `+` and `=` do not."""


@dataclass(frozen=True)
class Said:
    """A string of a program.

    Attributes:
        text: What it comes to.
        line: Where it stands, from 1.
        given_to: The call that it is an argument of: `network`, `shell`, `hub`, or none of them.
        is_doc: Whether it is a docstring or stands alone.
    """

    text: str
    line: int
    given_to: str
    is_doc: bool = False


@dataclass(frozen=True)
class Strings:
    """All strings of a program, and whether it can fetch anything.

    Attributes:
        said: The strings.
        fetches: Whether any of its calls could.
    """

    said: tuple[Said, ...]
    fetches: bool


def calls_out(code: str) -> bool:
    """Whether a program may call what fetches or runs a shell: else its strings do nothing.

    Args:
        code: The program; it is not parsed.
    """
    plain = code if code.isascii() else unicodedata.normalize("NFKC", code)  # as names are read
    return _OPENS.search(plain) is not None or _CALLED.search(plain[::-1]) is not None


@lru_cache(maxsize=1)
def strings_of(code: str) -> Strings | None:
    """The strings of a program; None where it is no Python that parses."""
    try:
        tree = parsed(code)
        nodes = list(_ordered(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = Names(code)
    called: dict[str, str] = {}
    found: list[Said] = []
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        _learn(node, names, called)
    for call in calls:
        role = _role(call, called)
        if role:
            found += (Said(text, call.lineno, role) for text in _arguments(call, names))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    inner = {id(node.left) for node in nodes if isinstance(node, ast.BinOp)}
    found += (
        Said(text, node.lineno, "", id(node) in alone)
        for node in nodes
        if isinstance(node, (ast.Constant, ast.BinOp, ast.JoinedStr, ast.Call))
        and id(node) not in inner
        and (text := folded(node, names, 0))
    )
    return Strings(tuple(_kept(found, code)), any(_role(call, called) for call in calls))


def _kept(found: Iterable[Said], code: str) -> Iterator[Said]:
    """The strings that there is room for: those that a call is given come first."""
    left = LEAST_ALLOWED + _PER_CHARACTER * len(code)
    for said in found:
        if len(said.text) <= left:
            left -= len(said.text)
            yield said


def _ordered(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes, in the order in which they stand, as far as there are a million of them."""
    waiting: list[ast.AST] = [tree]
    for _ in range(1_000_000):
        if not waiting:
            return
        node = waiting.pop()
        yield node
        inner: list[ast.AST] = []
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, list):
                inner += (one for one in child if isinstance(one, ast.AST))
            elif isinstance(child, _TELLING):
                inner.append(child)
        waiting.extend(reversed(inner))


def _learn(node: ast.AST, names: Names, called: dict[str, str]) -> None:
    """Keep what a name is set to, and which function it stands for."""
    match node:
        case ast.ImportFrom(module=str(module), names=given):
            called.update((one.asname or one.name, f"{module}.{one.name}") for one in given)
        case ast.Import(names=given):
            called.update((one.asname, one.name) for one in given if one.asname)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            if isinstance(value, ast.Attribute):
                called[name] = dotted(value)
            text = _listed(value, names)
            if text:
                names.put(name, text)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            for target, one in zip(targets, values, strict=False):
                _learn(ast.Assign([target], one), names, called)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            names.put(name, folded(value, names, 0))
        case ast.For(target=ast.Name(id=name), iter=value):
            names.put(name, _listed(value, names))
        case _:
            _learn_more(node, names)


def _learn_more(node: ast.AST, names: Names) -> None:
    """Keep what is added to what a name is set to."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            between = " " if isinstance(value, ast.List) else ""
        case ast.Call(func=ast.Attribute(ast.Name(id=name), "append" | "extend"), args=[value]):
            between = " "
        case _:
            return
    names.put(name, names.get(name) + between + _listed(value, names))


def _listed(node: ast.expr, names: Names) -> str:
    """The strings of a list, a word each."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return " ".join(folded(one, names, 1) for one in node.elts)[:MOST]
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.List):
        return f"{_listed(node.left, names)} {_listed(node.right, names)}"[:MOST]
    return folded(node, names, 1)


def _role(call: ast.Call, called: Mapping[str, str]) -> str:
    """Whether what a call is given is fetched, or run by a shell."""
    named = dotted(call.func)
    first, dot, rest = named.partition(".")
    named = called.get(first, first) + dot + rest
    last = named.rpartition(".")[2]
    if _BY_PLACE.search(named):
        return "hub"
    if last in _SHELL:
        return "shell"
    return "network" if last in _NETWORK or last.startswith(_BEGINNINGS) else ""


def _arguments(call: ast.Call, names: Names) -> list[str]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [text for one in given if (text := _listed(one, names))]
