"""The script, or the Python program, that a command is made to run."""

from __future__ import annotations

import re
from itertools import dropwhile, pairwise

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.printing import program_of
from rubric_engine.monitor.shell.wrappers import within_options

_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_EDITORS = frozenset({"ex", "gvim", "nvim", "vi", "view", "vim"})
_AWKS = frozenset({"awk", "gawk", "mawk"})
_PYTHONS = ("python", "ipython", "pypy")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_FOR_EACH = ("submodule", "foreach")
_OF_AWK = re.compile(
    r"system[ \t]*\([ \t]*\"([^\"\\]*+(?:\\.[^\"\\]*+)*)"
    r"|\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"[ \t]*\|[ \t]*getline"
)
_RECIPE = re.compile(r"^\t[@+-]*(.*)", re.MULTILINE)


def script_of(command: Command, given: str, files: Files) -> tuple[str, tuple[str, ...]] | None:
    """The shell script that a command is made to run, and the words it is given; or None.

    Args:
        command: The command, without what is wrapped around it.
        given: Its input.
        files: The files that are known.
    """
    words, program = command.words, program_of(command.words[0])
    script, rest = "", words[:0]
    if program == "eval":
        script = " ".join(words[1:])
    elif program in ("source", "."):
        script, rest = files.take("".join(words[1:2])), words[2:]
    elif program in _SHELLS:
        script, rest = _of_shell(words[1:], given, files)
    elif program in _EDITORS:
        script = "\n".join(within_options(words))
    elif program in _AWKS:
        script = "\n".join(_of_awk(words))
    elif program == "git":
        script = _for_each_module(words)
    elif program == "make":
        script = _made(words, files)
    elif "/" in words[0] and files.has(words[:1]) and not _is_python(files.among(words[:1])):
        script, rest = files.take(words[0]), words[1:]
    return (script, rest) if script else None


def _of_shell(words: tuple[str, ...], given: str, files: Files) -> tuple[str, tuple[str, ...]]:
    for place, word in enumerate(words):
        if word.startswith("-") and "c" in word and not word.startswith("--"):
            return (words[place + 1] if place + 1 < len(words) else ""), words[place + 3 :]
        if not word.startswith(("-", "+")):
            return files.take(word), words[place + 1 :]
    return given, ()


def _for_each_module(words: tuple[str, ...]) -> str:
    """What `git submodule foreach` runs in each of them."""
    at = next((at for at, pair in enumerate(pairwise(words)) if pair == _FOR_EACH), None)
    behind = words[len(words) if at is None else at + 2 :]
    return " ".join(dropwhile(lambda word: word.startswith("-"), behind))


def _of_awk(words: tuple[str, ...]) -> list[str]:
    found = (_OF_AWK.finditer(word) for word in words[1:])
    return [(one[1] or one[2] or "").replace('\\"', '"') for each in found for one in each]


def _made(words: tuple[str, ...], files: Files) -> str:
    named = [after for word, after in pairwise(words) if word == "-f"]
    path = next((one for one in (*named, *MAKEFILES) if files.has((one,))), "")
    recipes = _RECIPE.findall(files.take(path)) if path else []
    return "\n".join(recipes).replace("$$", "$")


def is_python(program: str) -> bool:
    """Whether a program reads Python."""
    return program.startswith(_PYTHONS) or program == "uv"


def python_of(command: Command, given: str, files: Files) -> str:
    """The Python program that an interpreter is given: `-c`, `-m`, a file that is known, input."""
    words = command.words[1:]
    for place, word in enumerate(words):
        behind = words[place + 1] if place + 1 < len(words) else ""
        if word == "-c":
            return behind
        if word == "-m":
            return files.take(behind.replace(".", "/") + ".py")
        if not word.startswith("-") and word != "run":
            return files.take(word)
    return given


def _is_python(text: str) -> bool:
    return text.startswith("#!") and "python" in text.partition("\n")[0]
