"""A run that only copies or echoes: what its script does, and what came of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from rubric_engine.evidence.roles import SCRIPT
from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.shell import Ran, executed
from rubric_engine.monitor.texts import SourceText
from rubric_engine.python_text import parsed

_COPIES = frozenset(
    {"cp", "install", "ln", "mv", "rsync", "tar", "unzip", "gunzip", "7z", "dd", "base64"}
)
_NOTHING = frozenset(
    {":", "[", "[[", "cat", "cd", "chmod", "date", "echo", "exit", "false", "head", "ls", "mkdir"}
    | {"printf", "pwd", "rm", "rmdir", "seq", "set", "shopt", "sleep", "source", "tail", "tee"}
    | {
        "test",
        "touch",
        "trap",
        "true",
        "ulimit",
        "umask",
        "unset",
        "wait",
        "which",
        "clear",
        "sync",
    }
)
_LOOKS = frozenset(
    {"device_count", "get_device_name", "is_available", "print", "python_version", "version"}
)
_PRINTS = frozenset({"cat", "echo", "printf", "seq", "tee"})
_PY_COPIES = frozenset({"copy", "copy2", "copyfile", "copytree", "move", "unpack_archive"})
_PY_WRITES = frozenset(
    {"dump", "imsave", "print_figure", "save", "savefig", "savetxt", "savez", "to_csv", "to_excel"}
    | {"to_json", "to_parquet", "write", "write_bytes", "write_text", "writelines", "writerow"}
    | {"writerows", "writeheader", "to_pickle", "to_latex", "to_markdown", "save_pretrained"}
)
_SCRIPT_SAYS = "the script {does} and computes nothing"
_PROGRAM_SAYS = "the program that the script starts copies files and writes nothing of its own"
_RUN_SAYS = "{count} of the {total} outputs of the run are copies of files that were handed in"


def only_copies(run: Run | None, sources: Sequence[SourceText]) -> Iterator[Draft]:
    """Scripts that only copy or echo, and runs whose outputs are copies.

    Args:
        run: The run, where there was one.
        sources: The texts that were handed in.
    """
    by_path = {text.path: text for text in sources}
    script = by_path.get(SCRIPT)
    said = list(_of_script(script, by_path)) if script is not None else []
    yield from said
    if run is not None:
        yield from _of_run(run, said)


def _of_script(script: SourceText, by_path: Mapping[str, SourceText]) -> Iterator[Draft]:
    steps = [ran for ran in executed(script.text) if ran.words]
    works = [ran for ran in steps if not _is_idle(ran)]
    copying = [ran for ran in works if ran.program in _COPIES]
    if not works or len(copying) == len(works):
        first = copying[0] if copying else _printing(steps)
        does = "only copies files" if copying else "only prints"
        line, shown = (first.line, first.text) if first is not None else (1, script.lines[0])
        says = _SCRIPT_SAYS.format(does=does)
        yield Draft("faked.only_copies", "suspicious", script.source, SCRIPT, line, shown, says)
        return
    programs = [_program(ran, by_path) for ran in works if ran.program not in _COPIES]
    if all(program is not None and _copy_line(program) for program in programs):
        for program in programs:
            if program is not None:
                yield _of_program(program)


def _printing(steps: Sequence[Ran]) -> Ran | None:
    """The first step that prints into a file; without one the first that prints, or the first."""
    prints = [ran for ran in steps if ran.program in _PRINTS]
    into = [ran for ran in prints if ran.program == "tee" or ">" in ran.text]
    return next(iter((*into, *prints, *steps)), None)


def _of_program(text: SourceText) -> Draft:
    line = _copy_line(text)
    shown = text.lines[line - 1]
    return Draft(
        "faked.only_copies", "suspicious", text.source, text.path, line, shown, _PROGRAM_SAYS
    )


def _of_run(run: Run, said: Sequence[Draft]) -> Iterator[Draft]:
    copies = list(run.copies())
    made = [file for file in run.outputs if file.path in run.made]
    if not copies or 2 * len(copies) < len(made) or said:
        return
    first, origin = copies[0]
    says = _RUN_SAYS.format(count=len(copies), total=len(made)) + f": this one of {origin.path}"
    yield Draft("faked.only_copies", "suspicious", "executed", first.path, None, first.path, says)


def _is_idle(ran: Ran) -> bool:
    if ran.program in _NOTHING:
        return True
    if ran.program.startswith(("pip", "python")) and ran.kind == "shell":
        return "install" in ran.words or ran.words[1:2] in (("--version",), ("-V",))
    return ran.kind == "python" and _only_imports(ran.code)


def _only_imports(code: str) -> bool:
    tree = _parsed(code)
    return tree is not None and all(map(_is_idle_line, tree.body))


def _is_idle_line(line: ast.stmt) -> bool:
    """Whether a statement imports, or prints what there is, such as a version or a device."""
    if not isinstance(line, ast.Expr):
        return isinstance(line, (ast.Import, ast.ImportFrom))
    called = {_name(one) for one in ast.walk(line) if isinstance(one, ast.Call)}
    return called <= _LOOKS


def _program(ran: Ran, by_path: Mapping[str, SourceText]) -> SourceText | None:
    """The Python program of the submission that a command starts, or None."""
    for word in ran.words:
        text = by_path.get(str(PurePosixPath(word)))
        if text is not None and text.part == "python":
            return text
    return None


def _copy_line(text: SourceText) -> int:
    """The line where a program copies, if it writes in no other way; else 0."""
    tree = _parsed(text.text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    named = [(call, _name(call)) for call in calls]
    if any(name in _PY_WRITES or (name == "open" and _writes(call)) for call, name in named):
        return 0
    return min((call.lineno for call, name in named if name in _PY_COPIES), default=0)


def _writes(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = [one.value for one in given if isinstance(one, ast.Constant)]
    return any(
        isinstance(mode, str) and mode[:1] in ("w", "a", "x") and len(mode) < 4 for mode in modes
    )


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _parsed(code: str) -> ast.Module | None:
    try:
        return parsed(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
