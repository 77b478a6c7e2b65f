"""The simple commands of a shell script: their words, input, and the files that they write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from rubric_engine.monitor.shell.command import Command, OpenCommand
from rubric_engine.monitor.shell.given import (
    READS,
    body_at,
    body_behind,
    filled,
    listed,
    output_of,
)
from rubric_engine.monitor.shell.inputs import Inputs
from rubric_engine.monitor.shell.known import Known
from rubric_engine.monitor.shell.lines import Lines, line_end
from rubric_engine.monitor.shell.words import MOST_LENGTH, Values, WordReader, closing

DEEPEST = 6
"""How deep scripts in scripts are read."""

_BLANK = re.compile(r"(?:[ \t\r]|\\\n)+")
_OPERATOR = re.compile(r"\|\||&&|;;&?|;&|\|&|[;&|()\n]")
_REDIRECT = re.compile(r"(\d*|&)(<<<|<<-?|<>|>>|>\||>&|<&|>|<)")
_REDIRECTS = frozenset("<>&0123456789")
_PLAIN = re.compile(r"(?:[\w./:@%+,~^-]++(?:[ \t]++|(?=[;&|)\n]|\Z)))+")
"""Words without a sign that a shell reads, up to one with any: most commands are one such run."""

_ARRAY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=\(")
_KEYWORDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until"})
_LEADS = _KEYWORDS | {"while", "time", "coproc"}
_LONGEST_PIPE = 8


def commands(text: str, *, line: int = 1, known: Known | None = None) -> Iterator[Command]:
    """Read a script, one command after another: what one of them writes, a later one may read.

    Args:
        text: The script; nothing of it is run, and nothing of it can be wrong.
        line: The line that it begins at.
        known: What is known of variables, functions and files; what the script sets is put there.
    """
    return _Reader(text, line, known or Known(), 0).read()


class _Reader:
    def __init__(self, text: str, line: int, known: Known, depth: int) -> None:
        self._text = text
        self._known = known
        self._depth = depth
        self._words = WordReader(text, known.variables, self._substitute, known.allowance)
        self._has_functions = "()" in text or "function" in text
        self._found: list[Command] = []
        self._told = 0
        self._waiting: list[tuple[int, str]] = []  # commands whose here-documents follow
        self._line = Lines(text, line).of
        self._inputs = Inputs(text, known, self._words, self._inner)
        self._skips = ""  # the operator behind which nothing is run

    def read(self) -> Iterator[Command]:
        """The commands, each as soon as its here-documents are read."""
        at, piped = 0, False
        while at < len(self._text):
            at, operator = self._command(at, piped)
            piped = operator in ("|", "|&")
            if operator == "\n":
                at = self._heredocs(at)
            if not self._waiting:
                yield from self._untold()
        yield from self._untold()

    def _untold(self) -> Iterator[Command]:
        new = self._found[self._told :]
        self._told = len(self._found)
        yield from new

    def _command(self, at: int, piped: bool) -> tuple[int, str]:
        """Read one command and the operator behind it; return what follows, and the operator."""
        command = OpenCommand(at)
        while at < len(self._text):
            blank = _BLANK.match(self._text, at)
            if blank:
                at = blank.end()
                if not command.words:
                    command.start = at
                continue
            if self._text[at] == "#":
                at = line_end(self._text, at)
                continue
            operator = _OPERATOR.match(self._text, at)
            if operator and not self._text.startswith("&>", at):
                self._close(command, at, piped)
                self._skips = self._known.skipping(self._skips, command, operator[0])
                return operator.end(), operator[0]
            at = self._part(command, at)
        self._close(command, at, piped)
        return at, ""

    def _part(self, command: OpenCommand, at: int) -> int:
        """Read words in which nothing is hidden, or a redirection, a list or a word."""
        if self._has_functions and not command.words:
            body = self._known.function(self._text, at)
            if body is not None:
                return body
        if self._text.startswith(("<(", ">("), at):
            name, end = self._process(at)
            command.words.append(name)
            return end
        plain = _PLAIN.match(self._text, at)
        if plain:
            words = plain[0].split()
            command.words += words if command.words else dropwhile(_LEADS.__contains__, words)
            return plain.end()
        redirect = _REDIRECT.match(self._text, at) if self._text[at] in _REDIRECTS else None
        if redirect:
            return self._redirect(command, redirect)
        array = None if command.words else _ARRAY.match(self._text, at)
        if array:
            return self._array(array)
        values, end = self._words.word(at)
        if end == at:  # a sign that begins nothing here
            return at + 1
        if command.words or values[0] not in _LEADS:
            command.words.extend(values)
        command.is_negated |= values[0] == "!"
        return end

    def _redirect(self, command: OpenCommand, redirect: re.Match[str]) -> int:
        blank = _BLANK.match(self._text, redirect.end())
        begin = blank.end() if blank else redirect.end()
        if self._text.startswith("<(", begin):
            target, end = self._process(begin)
        else:
            (target, *_), end = self._words.word(begin)
        sign = redirect[2]
        if sign in ("<<", "<<-"):
            command.heredocs.append(target)
        elif sign == "<<<":
            command.stdin = target
        elif sign.startswith(">"):
            (command.appends if sign == ">>" else command.writes).append(target)
        else:
            command.reads = target
        return end

    def _array(self, array: re.Match[str]) -> int:
        end = closing(self._text, array.end())
        inner = self._text[array.end() : end - 1]
        values = self._inner(inner, 1)
        before = self._known.variables.get(array[1], ()) if array[2] else ()
        self._known.set(array[1], (*before, *(word for one in values for word in one.words)))
        return end

    def _close(self, command: OpenCommand, end: int, piped: bool) -> None:
        words = self._known.without_settings(command.words)
        if not words and command.reads and not self._skips:
            words = ["cat", command.reads]  # whoever stands before it reads the file
        if (words and not self._skips) or command.heredocs:
            self._waiting.extend((len(self._found), each) for each in command.heredocs)
            if words and words[0] in READS:
                self._take_in(command, words, end, piped)
            elif words:
                words += self._known.added_to(words)
            written = self._written(command, end)
            self._found.append(command.closed(words, self._line(command.start), written, piped))
            if words:
                self._call(words)

    def _written(self, command: OpenCommand, end: int) -> str:
        stop = self._text.find("\n", command.start, end)
        return self._text[command.start : end if stop < 0 else stop].strip()

    def _call(self, words: list[str]) -> None:
        """Read what a call of a function runs, or a script that is sourced."""
        call = self._found[-1]
        body, is_own = self._known.body_of(words)
        if body:
            self._found[-1] = call._replace(words=(":", *words[1:]))  # it is what it calls
            inner = self._inner(body, call.line)
            told = (one for one in inner if not is_own or "$" in one.text)
            self._found.extend(one._replace(line=call.line) for one in told)

    def _take_in(self, command: OpenCommand, words: list[str], end: int, piped: bool) -> None:
        """Set the variables of `read` to what it is given, or to what the loop around it is."""
        if command.stdin is not None:
            values = listed(command.stdin)
        elif command.reads is not None:
            values = self._inputs.lines_of((command.reads,))
        elif piped:
            values = listed(self._piped(end))
        else:
            values = self._inputs.of_loop(end)
        self._inputs.take_in(words, values)

    def _piped(self, at: int) -> str:
        last = len(self._found) - 1
        if self._waiting and self._waiting[-1][0] == last:
            return body_behind(self._text, at, self._waiting[-1][1], self._known.allowance)
        return output_of(self._found[-_LONGEST_PIPE:], self._known.files)

    def _inner(self, text: str, line: int) -> list[Command]:
        """The commands of a script within this one, as deep as they are followed."""
        if self._depth >= DEEPEST or not text:
            return []
        return list(_Reader(text, line, self._known, self._depth + 1).read())

    def _process(self, at: int) -> tuple[str, int]:
        """Read `<(...)`: a file, of a name of its own, that holds what its commands print."""
        end = closing(self._text, at + 2)
        read = self._inner(self._text[at + 2 : end - 1], self._line(at))
        name = f"/dev/fd/{at}"
        self._known.files.write(name, output_of(read, self._known.files))
        self._found.extend(read)
        return name, end

    def _heredocs(self, at: int) -> int:
        """Read the here-documents that begin at a line, and give each to its command."""
        for index, end_word in self._waiting:
            body, at = body_at(self._text, at, end_word)
            body = filled(body, self._known.variables, self._known.allowance)
            self._found[index] = self._found[index]._replace(stdin=body)
        self._waiting.clear()
        return at

    def _substitute(self, inner: str, at: int) -> Values:
        """Read the commands of `$(...)`; a file that they print stands as its name."""
        if self._depth >= DEEPEST:
            return (inner,)
        if inner.lstrip().startswith("<"):  # as `cat` does
            path = inner.lstrip("< \t").strip()
            self._found.append(Command(("cat", path), self._line(at), inner[:MOST_LENGTH]))
            return (self._known.files.among((path,)).strip()[:MOST_LENGTH] or path,)
        read = self._inner(inner, self._line(at))
        self._found.extend(read)
        printed_by = output_of(read, self._known.files).strip()
        is_known = printed_by and self._known.allowance.take((printed_by,))
        return (printed_by if is_known else f"$({inner[:MOST_LENGTH]})",)
