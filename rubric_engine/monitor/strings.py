"""The strings of a Python program, put together as far as it says itself, and who gets them.

The program is parsed and never run. A name stands for what it was last set to, in whatever
function: that is enough to follow a URL to the call that fetches it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rubric_engine.python_text import parsed

_MOST = 4000
_DEEPEST = 60
_NETWORK = re.compile(
    r"^(?:urlopen|urlretrieve|Request|get|post|put|head|request|stream|download\w*|download_url"
    r"|fetch\w*|clone\w*|clone_from|get_repo|snapshot_download|hf_hub_download|load_dataset"
    r"|load_state_dict_from_url|from_pretrained|create_submodule|create_remote|add_remote"
    r"|install_github|get_file|cached_download|wget|curl|git|HTTPConnection|HTTPSConnection"
    r"|read_csv|read_json|read_parquet|read_html|cached_path|open_url|pull|goto)$"
)
_SHELL = frozenset(
    {"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput"}
    | {"getstatusoutput", "create_subprocess_shell", "create_subprocess_exec", "execvp", "execv"}
    | {"get_ipython", "sh", "execlp", "spawn", "run_line_magic", "exec_command"}
)
_HOLE = re.compile(r"%[sdr]|\{\w*\}")
_BY_PLACE = re.compile(r"(?:torch\.hub|hub)\.(?:load|list|help|download_url_to_file)$")


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


@lru_cache(maxsize=1)
def strings_of(code: str) -> Strings | None:
    """The strings of a program; None where it is no Python that parses."""
    try:
        tree = parsed(code)
        nodes = list(_ordered(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names: dict[str, str] = {}
    found: list[Said] = []
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        _learn(node, names)
    for call in calls:
        role = _role(call)
        if role:
            found += (Said(text, call.lineno, role) for text in _arguments(call, names))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    inner = {id(node.left) for node in nodes if isinstance(node, ast.BinOp)}
    found += (
        Said(text, node.lineno, "", id(node) in alone)
        for node in nodes
        if isinstance(node, (ast.Constant, ast.BinOp, ast.JoinedStr, ast.Call))
        and id(node) not in inner
        and (text := _folded(node, names, 0))
    )
    return Strings(tuple(found), any(_role(call) for call in calls))


def _ordered(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes, in the order in which they stand, as far as there are a million of them."""
    waiting: list[ast.AST] = [tree]
    for _ in range(1_000_000):
        if not waiting:
            return
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _learn(node: ast.AST, names: dict[str, str]) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        text = _listed(node.value, names)
        if isinstance(target, ast.Name) and text:
            names[target.id] = text[:_MOST]
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        names[node.target.id] = _folded(node.value, names, 0)[:_MOST]
    elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        names[node.target.id] = _listed(node.iter, names)


def _listed(node: ast.expr, names: dict[str, str]) -> str:
    """The strings of a list, a word each."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return " ".join(_folded(one, names, 1) for one in node.elts)[:_MOST]
    return _folded(node, names, 1)


def _role(call: ast.Call) -> str:
    """Whether what a call is given is fetched, or run by a shell."""
    named = _dotted(call.func)
    last = named.rpartition(".")[2]
    if _BY_PLACE.search(named):
        return "hub"
    if last in _SHELL:
        return "shell"
    return "network" if _NETWORK.match(last) else ""


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _arguments(call: ast.Call, names: dict[str, str]) -> list[str]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [text for one in given if (text := _listed(one, names))]


def _folded(node: ast.AST, names: dict[str, str], depth: int) -> str:
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
            return "".join(_folded(one, names, depth + 1) or "*" for one in values)[:_MOST]
        case ast.FormattedValue(value=value):
            return _folded(value, names, depth + 1)
        case ast.Call():
            return _called(node, names, depth)
    return ""


def _operated(node: ast.BinOp, names: dict[str, str], depth: int) -> str:
    if isinstance(node.op, ast.Add):
        return _sum(node.left, node.right, names, depth)
    left = _folded(node.left, names, depth + 1)
    if isinstance(node.op, ast.Mod):
        return _filled(left, _parts(node.right), names, depth)
    if isinstance(node.op, ast.Div):
        both = (left, _folded(node.right, names, depth + 1))
        return "/".join(text for text in both if text)[:_MOST]
    return ""


def _sum(left: ast.expr, right: ast.expr, names: dict[str, str], depth: int) -> str:
    """A sum of strings; a long one leans to the left, and is walked and not climbed."""
    parts = [right]
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        parts.append(left.right)
        left = left.left
    parts.append(left)
    texts = [_folded(one, names, depth + 1) for one in reversed(parts[-_MOST:])]
    return "".join(text or "*" for text in texts)[:_MOST] if any(texts) else ""


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _filled(form: str, parts: list[ast.expr], names: dict[str, str], depth: int) -> str:
    given = iter(parts[:50])

    def put(place: re.Match[str]) -> str:
        one = next(given, None)
        return place[0] if one is None else _folded(one, names, depth + 1)

    return _HOLE.sub(put, form)[:_MOST]


def _called(call: ast.Call, names: dict[str, str], depth: int) -> str:
    """What `join`, `format`, `os.path.join`, `urljoin`, `Path`, `replace` give, roughly."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else _dotted(call.func)
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    text = _folded(of, names, depth + 1) if of is not None else ""
    if last == "format":
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return _filled(text, given, names, depth)
    if last == "join" and call.args:
        first = call.args[0]
        listed = first.elts if isinstance(first, (ast.List, ast.Tuple)) else call.args
        between = text if isinstance(first, (ast.List, ast.Tuple)) else "/"
        return between.join(_folded(one, names, depth + 1) for one in listed[:50])[:_MOST]
    if last in ("urljoin", "Path", "PurePosixPath"):
        return "/".join(_folded(one, names, depth + 1).strip("/") for one in call.args)[:_MOST]
    if last in ("strip", "lower", "rstrip", "lstrip", "encode", "decode", "str", "quote"):
        return text or (_folded(call.args[0], names, depth + 1) if call.args else "")
    return ""
