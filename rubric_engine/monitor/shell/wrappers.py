"""The command that another one starts in the end: behind `sudo`, `xargs`, `find -exec`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.printing import program_of
from rubric_engine.monitor.shell.words import MOST_LENGTH

_DEEPEST = 6
_MOST_MARKS = 16
"""Places that a command is given its input at."""

_WRAPPERS = frozenset(
    {"builtin", "busybox", "command", "doas", "env", "exec", "ionice", "nice", "nohup"}
    | {"proxychains", "proxychains4", "setsid", "stdbuf", "sudo", "time", "timeout", "unbuffer"}
    | {"parallel", "xargs"}
)
_FED = frozenset({"parallel", "xargs"})
_VALUED = frozenset(
    {"-a", "-n", "-I", "-P", "-L", "-u", "-k", "-s", "-g", "-o", "-e", "-i", "-d", "-j"}
)
_ENVIRONMENTS = frozenset(
    {"conda", "hatch", "mamba", "micromamba", "pdm", "pipenv", "pixi", "poetry", "rye", "uv"}
)
_OF_ENVIRONMENTS = frozenset({"-n", "-p", "--name", "--prefix", "--python", "--project", "--group"})
_EXECS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_LISTS = re.compile(
    r"-[iKra]|--(?:input-file|requirement|constraint|config|arg-file|from-file|batch-file)"
)
_JOINED = re.compile(r"--(?:input-file|requirement|constraint|config|arg-file|batch-file)=")
_PATTERNS = frozenset({"-ipath", "-iname", "-name", "-path", "-wholename"})


def unwrapped(command: Command, given: str) -> Command:
    """The command that is run in the end.

    Args:
        command: A command.
        given: Its input.
    """
    words = command.words
    for _ in range(_DEEPEST):
        inner = _inner(words, given)
        if inner is None:
            break
        words = inner
    return command if words is command.words else command._replace(words=words)


def _inner(words: tuple[str, ...], given: str) -> tuple[str, ...] | None:
    program = program_of(words[0]) if words else ""
    if program == "env" and words[1:2] == ("-S",):
        return ("bash", "-c", " ".join(words[2:]))
    if program in _WRAPPERS:
        rest = _behind_options(program, words[1:])
        if program in _FED:
            rest = _fed(words, rest or ("echo",), given)
        return rest
    if program in _ENVIRONMENTS and words[1:2] == ("run",):
        return _in_environment(words[2:])
    if program == "find":
        return _of_find(words)
    return None


def _behind_options(program: str, words: tuple[str, ...]) -> tuple[str, ...]:
    rest = list(words)
    while rest and (rest[0].startswith("-") or (program == "env" and "=" in rest[0])):
        option = rest.pop(0)
        if option in _VALUED and rest and not (program == "env" and option == "-i"):
            rest.pop(0)
    if program == "timeout":
        rest = rest[1:]
    return tuple(rest)


def _fed(words: tuple[str, ...], rest: tuple[str, ...], given: str) -> tuple[str, ...]:
    """What `xargs` starts: its input stands behind, or where a mark of `-I` stands."""
    joined = (word[2:] for word in words if word.startswith("-I") and len(word) > 2)
    mark = next(joined, next((word for option, word in pairwise(words) if option == "-I"), ""))
    rest = tuple(word for word in rest if word not in (":::", "::::"))
    if mark and any(mark in word for word in rest):
        return _put_in(rest, mark, " ".join(given.split()))
    return (*rest, *given.split())


def _put_in(words: Iterable[str], mark: str, value: str) -> tuple[str, ...]:
    """The words with a value where the first marks stand."""
    left, filled = _MOST_MARKS, []
    for word in words:
        filled.append(word.replace(mark, value[:MOST_LENGTH], left))
        left = max(0, left - word.count(mark))
    return tuple(filled)


def _in_environment(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What `uv run`, `conda run` and the like start; None where they install something first."""
    if any(word.startswith("--with") or word == "--from" for word in words):
        return None
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in _OF_ENVIRONMENTS and rest:
            rest.pop(0)
    return tuple(rest) or None


def _of_find(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What `find -exec` starts, with what it looks for where `{}` stands."""
    at = next((at for at, word in enumerate(words) if word in _EXECS), None)
    if at is None:
        return None
    inner = takewhile(lambda word: word not in (";", "+"), words[at + 1 :])
    found = next((value for option, value in pairwise(words) if option in _PATTERNS), words[1])
    return _put_in(inner, "{}", found)


def fed_by(words: tuple[str, ...]) -> tuple[str, ...]:
    """The file that `xargs -a` reads its input from."""
    if not words or program_of(words[0]) not in _FED:
        return ()
    return tuple(word for option, word in pairwise(words) if option in ("-a", "--arg-file"))


def lists_read(words: tuple[str, ...]) -> tuple[str, ...]:
    """The lists of addresses that a command is told to read: `wget -i a.txt`, `pip -r a.txt`."""
    behind = (word for option, word in pairwise(words) if _LISTS.fullmatch(option))
    joined = (word.partition("=")[2] for word in words if _JOINED.match(word))
    return (*behind, *joined)


def within_options(words: tuple[str, ...]) -> Iterator[str]:
    """The shell commands that an editor is given to run: `vim -c '!ls'`, `vim '+!ls'`."""
    for option, word in pairwise(words):
        if option in ("-c", "--cmd") and word.lstrip(":").startswith("!"):
            yield word.lstrip(":!")
        if word.startswith("+"):
            inner = word.lstrip("+:")
            if inner.startswith("!"):
                yield inner[1:]
