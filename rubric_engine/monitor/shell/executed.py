"""What a script comes to run: commands without their wrappers, scripts in scripts, and Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import PurePosixPath
from typing import Literal

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.commands import DEEPEST, commands
from rubric_engine.monitor.shell.given import without_comments
from rubric_engine.monitor.shell.printing import printed, program_of
from rubric_engine.monitor.shell.words import MOST_LENGTH

_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_WRAPPERS = frozenset(
    {"builtin", "command", "doas", "env", "exec", "ionice", "nice", "nohup", "parallel"}
    | {"proxychains", "proxychains4", "setsid", "stdbuf", "sudo", "time", "timeout", "unbuffer"}
    | {"xargs"}
)
_FED = frozenset({"parallel", "xargs"})
_OF_LISTS = frozenset({"-a", "-j"})
_VALUED = frozenset({"-n", "-I", "-P", "-L", "-u", "-k", "-s", "-g", "-o", "-e", "-i", "-d"})


_ODD = re.compile(r"//|/\.|^\./|/$")

_READ_LISTS = frozenset(
    {"aria2c", "axel", "curl", "degit", "gh", "git", "hub", "pip", "pip3", "wget", "wget2"}
)
"""Programs that fetch: one whose words name a list was given what that says, by a loop or so."""

_MOST_NAMES = 16
"""Names of files that are spelled out, to tell whether a step may name one."""


@dataclass(frozen=True)
class Ran:
    """A command that is run, or a Python program that is given to an interpreter.

    Attributes:
        kind: Which of the two.
        words: The words of the command; of a program, of the command that starts it.
        line: Where it begins, from 1.
        text: As it is written, its first line.
        code: The program; of a command, what is given to it as its input, or nothing.
    """

    kind: Literal["shell", "python"]
    words: tuple[str, ...]
    line: int
    text: str
    code: str = ""

    @cached_property
    def program(self) -> str:
        """Name of the program, without its folder."""
        return program_of(self.words[0]) if self.words else ""


class Files:
    """What scripts wrote into files so far: whoever runs such a file runs what was written.

    Args:
        lists: Lists of addresses that were there before, by their paths: they are never run.

    Attributes:
        changes: How often anything in them changed: until it does, a script does what it did.
    """

    def __init__(self, lists: Mapping[str, str] | None = None) -> None:
        self._written: dict[str, str] = {}
        self._lists = {_name(path): without_comments(text) for path, text in (lists or {}).items()}
        self.changes = len(self._lists)

    def write(self, path: str, text: str) -> None:
        """Keep a file's text."""
        name = _name(path)
        if self._written.get(name) != text:
            self._written[name] = text
            self.changes += 1

    def among(self, words: Sequence[str]) -> str:
        """The texts of all files that were written and are named among words."""
        return _among(words, self._written)

    def lists_among(self, words: Sequence[str]) -> str:
        """The texts of all lists that are named among words."""
        return _among(words, self._lists)

    def has(self, words: Iterable[str]) -> bool:
        """Whether a file is known that is named among words."""
        if not self._written and not self._lists:
            return False
        return any((name := _name(word)) in self._written or name in self._lists for word in words)

    def may_have(self, signs: set[str]) -> bool:
        """Whether a file may be named with nothing but these signs, in small letters."""
        if len(self._written) + len(self._lists) > _MOST_NAMES:
            return True
        names = chain(self._written, self._lists)
        return any(signs.issuperset(name.lower()) for name in names)

    def take(self, path: str) -> str:
        """The text of a file, once: a script that starts itself is read once."""
        text = self._written.pop(_name(path), None) if self._written else None
        self.changes += text is not None
        return text or ""


def executed(text: str, *, line: int = 1, files: Files | None = None) -> Iterator[Ran]:
    """All that a script runs, one after another; nothing is run by this.

    Args:
        text: The script.
        line: The line that it begins at.
        files: What earlier scripts wrote.
    """
    yield from _of_commands(commands(text, line=line), files or Files(), 0)


def _of_commands(found: tuple[Command, ...], files: Files, depth: int) -> Iterator[Ran]:
    output = ""
    for command in found:
        given = command.stdin if command.stdin is not None else output if command.piped else ""
        bare = _unwrapped(command, given)
        yield from _of_command(bare, given, files, depth)
        output = printed(bare.words, given, files.among)
        for path in (*command.writes, *_teed(bare)):
            if output:
                files.write(path, output)


def _of_command(command: Command, given: str, files: Files, depth: int) -> Iterator[Ran]:
    if not command.words:
        return
    words, line, text = command.words, command.line, command.text
    program = program_of(words[0])
    script = _script(program, command, given, files)
    if script is not None and depth < DEEPEST:
        inner = commands(script, line=line)
        for one in _of_commands(inner, files, depth + 1):
            yield one if script == given else replace(one, line=line)
        return
    if program.startswith(("python", "ipython", "pypy")) or program == "uv":
        code = _python(command, given, files)
        if code:
            yield Ran("python", words, line, text, code)
            return
    named = without_comments(files.among(words))
    if program in _READ_LISTS:
        named += "\n" + files.lists_among(words)
    yield Ran("shell", words, line, text, f"{given}\n{named}".strip())


def _script(program: str, command: Command, given: str, files: Files) -> str | None:
    """The shell script that a command is made to run, or None."""
    words = command.words
    if program == "eval":
        return " ".join(words[1:])
    if program in ("source", ".") or (len(words) == 1 and "/" in words[0]):
        return files.take(words[-1]) or None
    if program not in _SHELLS:
        return None
    rest = words[1:]
    for place, word in enumerate(rest):
        if word.startswith("-") and "c" in word and not word.startswith("--"):
            return rest[place + 1] if place + 1 < len(rest) else None
        if not word.startswith(("-", "+")):
            return files.take(word) or None
    return given or (files.take(command.reads) if command.reads else None) or None


def _python(command: Command, given: str, files: Files) -> str:
    words = command.words[1:]
    for place, word in enumerate(words):
        if word == "-c":
            return words[place + 1] if place + 1 < len(words) else ""
        if word == "-m":
            return ""
        if word.endswith(".py"):
            return files.take(word)
    return given


def _unwrapped(command: Command, given: str) -> Command:
    """The command that `sudo`, `env A=1`, `timeout 60` and the like start in the end."""
    words = command.words
    for _ in range(DEEPEST):
        program = program_of(words[0]) if words else ""
        if program not in _WRAPPERS:
            break
        rest = _behind_options(program, words[1:])
        if program in _FED:
            options = words[1 : len(words) - len(rest)]
            lines = given or command.reads or _value(options, "-a") or ""
            rest = _fed(rest, _value(options, "-I"), lines)
        words = rest
    return command if words is command.words else command._replace(words=words)


def _value(options: tuple[str, ...], name: str) -> str | None:
    """The word behind an option; of `-I{}`, what stands in the same word."""
    joined = (word[2:] for word in options if word.startswith(name) and len(word) > len(name))
    return next(joined, next((word for option, word in pairwise(options) if option == name), None))


def _fed(words: tuple[str, ...], mark: str | None, given: str) -> tuple[str, ...]:
    """The command that `xargs` or `parallel` starts, with what it is given in its words."""
    if mark and any(mark in word for word in words):
        return tuple(word.replace(mark, given.strip()[:MOST_LENGTH], 1) for word in words)
    plain = tuple(word for word in words if word not in (":::", "::::"))
    return (*(plain or ("echo",)), *given.split())


def _behind_options(program: str, words: tuple[str, ...]) -> tuple[str, ...]:
    rest = list(words)
    while rest and (rest[0].startswith("-") or (program == "env" and "=" in rest[0])):
        option = rest.pop(0)
        valued = option in _VALUED or (program in _FED and option in _OF_LISTS)
        if valued and rest and not (program == "env" and option == "-i"):
            rest.pop(0)
    if program == "timeout":
        rest = rest[1:]
    return tuple(rest)


def _teed(command: Command) -> tuple[str, ...]:
    if command.words[:1] != ("tee",):
        return ()
    return tuple(word for word in command.words[1:] if not word.startswith("-"))


def _among(words: Sequence[str], texts: Mapping[str, str]) -> str:
    if not texts:
        return ""
    return "\n".join(texts[name] for word in words if (name := _name(word)) in texts)


def _name(path: str) -> str:
    return str(PurePosixPath(path)) if not path or _ODD.search(path) else path
