"""What a script comes to run: commands without their wrappers, scripts in scripts, and Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.commands import DEEPEST, commands
from rubric_engine.monitor.shell.effects import take_effect
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.git_words import as_set_up
from rubric_engine.monitor.shell.known import Known, begun
from rubric_engine.monitor.shell.printing import printed, program_of, without_comments
from rubric_engine.monitor.shell.scripts import is_python, python_of, script_of
from rubric_engine.monitor.shell.wrappers import fed_by, lists_read, unwrapped


@dataclass(frozen=True)
class Ran:
    """A command that is run, or a Python program that is given to an interpreter.

    Attributes:
        kind: Which of the two.
        words: The words of the command; of a program, of the command that starts it.
        line: Where it begins, from 1.
        text: As it is written, its first line.
        code: The program; of a command, what is given to it as its input, or nothing.
        reads: The file that it is given as its input, or None.
        writes: Files that its output is written to.
    """

    kind: Literal["shell", "python"]
    words: tuple[str, ...]
    line: int
    text: str
    code: str = ""
    reads: str | None = None
    writes: tuple[str, ...] = ()

    @cached_property
    def program(self) -> str:
        """Name of the program, without its folder."""
        return program_of(self.words[0]) if self.words else ""


def executed(text: str, *, line: int = 1, files: Files | None = None) -> Iterator[Ran]:
    """All that a script runs, one after another; nothing is run by this.

    Args:
        text: The script.
        line: The line that it begins at.
        files: What earlier scripts left.
    """
    known = begun(files or Files())
    known.allowance.grow(text)
    yield from _of_commands(commands(text, line=line, known=known), known, 0)


def _of_commands(found: Iterable[Command], known: Known, depth: int) -> Iterator[Ran]:
    output = ""
    for command in found:
        given = _given(command, output, known.files)
        bare = _bare(command, given, known.files)
        for ran in _of_command(bare, given, known, depth):
            writes = (*ran.writes, *bare.writes)
            yield replace(ran, writes=writes) if writes else ran
        output = printed(bare.words, given, known.files.among)
        take_effect(bare, output, known.files)


def _given(command: Command, output: str, files: Files) -> str:
    """What a command reads: a here-document, a file that is known, what the one before prints."""
    if command.stdin is not None:
        return command.stdin
    if _only_redirects(command):
        return ""
    reads = (command.reads,) if command.reads else fed_by(command.words)
    if reads:
        return files.among(reads)
    return output if command.piped and files.allowance.take((output,)) else ""


def _only_redirects(command: Command) -> bool:
    """Whether it is `< file` alone: whoever stands before it reads the file."""
    return command.reads is not None and command.words == ("cat", command.reads)


def _bare(command: Command, given: str, files: Files) -> Command:
    """The command that is run in the end, its words as they are read."""
    bare = unwrapped(command, given)
    if bare.words and program_of(bare.words[0]) == "git":
        return bare._replace(words=as_set_up(bare.words, files))
    return bare


def _of_command(command: Command, given: str, known: Known, depth: int) -> Iterator[Ran]:
    if not command.words:
        return
    words, line, text, files = command.words, command.line, command.text, known.files
    script = script_of(command, given, files) if depth < DEEPEST else None
    if script is not None and known.allowance.take_script(script[0]):
        inner = begun(files)
        inner.set_places(script[1])
        for one in _of_commands(commands(script[0], line=line, known=inner), inner, depth + 1):
            yield one if script[0] == given else replace(one, line=line)
        return
    if is_python(program_of(words[0])):
        code = python_of(command, given, files)
        if code:
            yield Ran("python", words, line, text, code)
            if program_of(words[0]) != "uv":
                return
    if _only_redirects(command):
        yield Ran("shell", words, line, text, reads=command.reads)
        return
    read = (given, files.written(words), without_comments(files.among(lists_read(words))))
    yield Ran("shell", words, line, text, "\n".join(filter(None, read)).strip(), command.reads)
