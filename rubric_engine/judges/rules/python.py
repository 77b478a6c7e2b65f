"""`python_defines` and `python_calls`: what the code defines and calls, by its syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rubric_engine.checks import PythonCalls, PythonDefines
from rubric_engine.files import File
from rubric_engine.judges.rules.files import hidden
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    Evaluation,
    Undecided,
    cite,
    count,
    meant,
    some,
)
from rubric_engine.judges.rules.python_source import CallSite, Module
from rubric_engine.judges.rules.view import Sight, View

MAX_SOURCE = 500_000
"""Bytes of the largest source that is parsed; a syntax tree takes up to 1,000 times its source."""

MAX_TOTAL = 20_000_000
"""Bytes of all the sources that one check reads."""

CONVENTIONS = {
    "jnp": "jax.numpy",
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "sns": "seaborn",
    "tf": "tensorflow",
}
"""Aliases that a rubric may use as everybody does: `np.linalg.solve` is `numpy.linalg.solve`."""


@dataclass(frozen=True)
class _Sources:
    """The Python files that a glob names: the ones read, and what kept others from it."""

    modules: tuple[tuple[File, Module], ...]
    broken: tuple[str, ...]
    too_large: tuple[str, ...]
    hidden: tuple[str, ...]


def python_defines(check: PythonDefines, sight: Sight) -> Evaluation:
    """Holds where a file defines the name, as what the check asks for."""
    sources = _read(check.file, sight)
    same = [
        (file, found)
        for file, module in sources.modules
        for found in module.definitions
        if found.name == check.name
    ]
    right = [(f, found) for f, found in same if check.type in ("any", found.type)]
    if right:
        return _found(sight.source, [(file, found.line) for file, found in right])
    if same:
        file, found = same[0]
        return _nothing(check.file, sources, f"{found.name} is a {found.type} in {file.path}")
    names = {found.name for _, module in sources.modules for found in module.definitions}
    return _nothing(check.file, sources, _meant(check.name, names))


def python_calls(check: PythonCalls, sight: Sight) -> Evaluation:
    """Holds where a file calls the name, inside the function or class if the check names one."""
    sources = _read(check.file, sight)
    wanted = _matcher(check.name)
    calls = [
        (file, call) for file, module in sources.modules for call in module.calls if wanted(call)
    ]
    inside = check.inside
    right = [(f, call) for f, call in calls if inside is None or _within(call.scopes, inside)]
    if right:
        return _found(sight.source, [(file, call.line) for file, call in right])
    if calls:
        file, call = calls[0]
        return _nothing(check.file, sources, f"called at {file.path}:{call.line}, outside {inside}")
    called = {call.written for _, module in sources.modules for call in module.calls}
    return _nothing(check.file, sources, _meant(check.name, called))


def _meant(name: str, names: set[str]) -> str | None:
    inner = sorted(each for each in names if _ends_with(each, name))
    return f"did you mean {inner[0]!r}?" if inner else meant(name, sorted(names))


def _matcher(name: str) -> Callable[[CallSite], bool]:
    first, dot, rest = name.partition(".")
    full = CONVENTIONS.get(first, first) + dot + rest if dot else name
    return lambda call: any(
        _ends_with(have, want) for have in (call.written, call.resolved) for want in (name, full)
    )


def _ends_with(dotted: str, name: str) -> bool:
    return f".{dotted}".endswith(f".{name}")


def _within(scopes: Sequence[str], name: str) -> bool:
    return any(_ends_with(".".join(scopes[: end + 1]), name) for end in range(len(scopes)))


def _read(glob: str, sight: Sight) -> _Sources:
    view = sight.source
    files = [file for file in view.glob(glob) if _is_python(file, glob)]
    small = [file for file in files if file.size <= MAX_SOURCE]
    if sum(file.size for file in small) > MAX_TOTAL:
        raise Undecided("check_limit", f"the sources have more than {MAX_TOTAL} bytes together")
    read = [(file, view.module(file)) for file in small]
    return _Sources(
        modules=tuple((file, module) for file, module in read if module.error is None),
        broken=tuple(f"{file.path} {module.error}" for file, module in read if module.error),
        too_large=tuple(file.path for file in files if file.size > MAX_SOURCE),
        hidden=hidden(glob, sight),
    )


def _is_python(file: File, glob: str) -> bool:
    return file.path.endswith((".py", ".pyw", ".ipynb")) or file.path == glob.removeprefix("./")


def _found(view: View, places: Sequence[tuple[File, int]]) -> Evaluation:
    citations = []
    for file, line in places[:MAX_CITATIONS]:
        if file.path.endswith(".ipynb"):
            citations.append(cite(file.path))  # its lines are no lines of the file
        else:
            lines = view.text(file).replace("\r", "\n").split("\n")
            citations.append(cite(file.path, line, lines[line - 1]))
    return Evaluation(
        1.0, f"{count(len(places), 'place')}: {some(map(str, citations))}", tuple(citations)
    )


def _nothing(glob: str, sources: _Sources, hint: str | None) -> Evaluation:
    if sources.too_large:
        raise Undecided(
            "check_limit",
            f"not among the files read; {some(sources.too_large)}: more than {MAX_SOURCE} bytes",
        )
    unread = (*sources.broken, *sources.hidden)
    best = 1.0 if unread else 0.0
    if not sources.modules and not sources.broken:
        nothing = f"no Python file matches {glob}"
        return Evaluation(0.0, "; ".join([nothing, *unread[:3]]), best=best)
    parts = [f"not in {count(len(sources.modules), 'file')}", hint, some(unread)]
    return Evaluation(0.0, "; ".join(part for part in parts if part), best=best)
