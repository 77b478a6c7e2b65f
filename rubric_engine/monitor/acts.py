"""Everything that was run, as rules read it: by the agent, by `reproduce.sh`, by its programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.notebook import shell_lines, without_shell
from rubric_engine.monitor.shell import Ran, executed
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.words import Allowance
from rubric_engine.monitor.strings import Said, Strings, calls_out, strings_of
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitored import Severity, Source


@dataclass(frozen=True)
class Act:
    """A command, a string in a program, or a file that a tool showed, with its place.

    Attributes:
        source: Where it was found.
        path: The file, or the log's name.
        line: From 1.
        text: What stands there.
        ran: The command, where it is one.
        said: The string, where it is one.
        shown: The file that a tool showed, or nothing.
    """

    source: Source
    path: str
    line: int
    text: str
    ran: Ran | None = None
    said: Said | None = None
    shown: str = ""

    def draft(self, rule: str, severity: Severity, says: str) -> Draft:
        """A finding about it."""
        return Draft(rule, severity, self.source, self.path, self.line, self.text, says)


def acts_of_text(text: SourceText) -> Iterator[Act]:
    """What a script or program of a submission does."""
    if text.part == "shell":
        for ran in executed(text.text):
            yield from acts_of_ran(ran, text.source, text.path)
    elif text.part == "python":
        strings = text.strings if calls_out(text.text) else None
        yield from _of_strings(strings, text.source, text.path, None)
    elif text.part == "notebook":
        for cell in text.cells:
            for act in acts_of_python(cell.code, text.source, text.path):
                yield replace(act, line=cell.line(act.line))


def acts_of_ran(ran: Ran, source: Source, path: str, *, every: bool = False) -> Iterator[Act]:
    """What a command, or a program that is given to an interpreter, does.

    Args:
        ran: The command.
        source: Where it was found.
        path: The file, or the log's name.
        every: Whether strings count that are given to nothing: they may be paths that are read.
    """
    if ran.kind == "python":
        yield from acts_of_python(ran.code, source, path, ran.line, every=every)
    else:
        yield Act(source, path, ran.line, ran.text, ran=ran)


def acts_of_python(
    code: str, source: Source, path: str, line: int | None = None, *, every: bool = False
) -> Iterator[Act]:
    """What a Python program does; all of it on one line, where one is given."""
    allowance = Allowance()
    for number, command in shell_lines(code):
        at = number if line is None else line
        for ran in executed(command, line=at, files=Files(allowance=allowance)):
            yield from acts_of_ran(ran, source, path, every=every)
    if every or calls_out(code):
        strings = strings_of(without_shell(code))
        yield from _of_strings(strings, source, path, line, every=every)


def _of_strings(
    strings: Strings | None, source: Source, path: str, line: int | None, *, every: bool = False
) -> Iterator[Act]:
    allowance = Allowance()
    for said in strings.said if strings is not None else ():
        at = said.line if line is None else line
        if said.given_to == "shell":
            for ran in executed(said.text, line=at, files=Files(allowance=allowance)):
                yield Act(source, path, at, said.text, ran=ran)
        elif not said.is_doc and (said.given_to or every):
            yield Act(source, path, at, said.text, said=said)
