"""The simple commands of a shell script: their words, input, and the files that they write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rubric_engine.monitor.shell.words import MOST_LENGTH, Allowance, Values, WordReader, closing

DEEPEST = 6
"""How deep scripts in scripts are read."""

_BLANK = re.compile(r"(?:[ \t\r]|\\\n)+")
_OPERATOR = re.compile(r"\|\||&&|;;&?|;&|\|&|[;&|()\n]")
_REDIRECT = re.compile(r"(\d*|&)(<<<|<<-?|<>|>>|>\||>&|<&|>|<)")
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=(.*)", re.DOTALL)
_ARRAY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=\(")
_KEYWORDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until"})
_LEADS = _KEYWORDS | {"while", "time", "coproc"}
_DECLARES = frozenset({"declare", "export", "local", "readonly", "typeset"})


@dataclass(frozen=True)
class Command:
    """One simple command.

    Attributes:
        words: Its words, the program first; variables that are known stand resolved.
        line: Where it begins, from 1.
        text: Its first line as it is written.
        stdin: What a here-document or a here-string gives it; None without one.
        reads: The file that it reads instead, or None.
        writes: Files that it writes its output to.
        piped: Whether its input is the output of the command before it.
    """

    words: tuple[str, ...]
    line: int
    text: str
    stdin: str | None = None
    reads: str | None = None
    writes: tuple[str, ...] = ()
    piped: bool = False


def commands(
    text: str, *, line: int = 1, variables: dict[str, Values] | None = None
) -> tuple[Command, ...]:
    """Read a script.

    Args:
        text: The script; nothing of it is run, and nothing of it can be wrong.
        line: The line that it begins at.
        variables: What is known of variables; what the script sets is put there.
    """
    known = {} if variables is None else variables
    return tuple(_Reader(text, line, known, Allowance(), 0).read())


@dataclass
class _Open:
    """The command that is being read."""

    start: int
    words: list[str] = field(default_factory=list)
    stdin: str | None = None
    reads: str | None = None
    writes: list[str] = field(default_factory=list)
    heredocs: list[str] = field(default_factory=list)


class _Reader:
    def __init__(
        self, text: str, line: int, known: dict[str, Values], allowance: Allowance, depth: int
    ) -> None:
        self._text = text
        self._known = known
        self._allowance = allowance
        self._depth = depth
        self._words = WordReader(text, known, self._substitute, allowance)
        self._found: list[Command] = []
        self._waiting: list[tuple[int, str]] = []  # commands whose here-documents follow
        self._counted = (0, line)

    def read(self) -> list[Command]:
        at, piped = 0, False
        while at < len(self._text):
            at, operator = self._command(at, piped)
            piped = operator in ("|", "|&")
            if operator == "\n":
                at = self._heredocs(at)
        return self._found

    def _command(self, at: int, piped: bool) -> tuple[int, str]:
        """Read one command and the operator behind it; return what follows, and the operator."""
        command = _Open(at)
        while at < len(self._text):
            blank = _BLANK.match(self._text, at)
            if blank:
                at = blank.end()
                if not command.words:
                    command.start = at
                continue
            if self._text[at] == "#":
                at = _line_end(self._text, at)
                continue
            operator = _OPERATOR.match(self._text, at)
            if operator and not self._text.startswith("&>", at):
                self._close(command, at, piped)
                return operator.end(), operator[0]
            at = self._part(command, at)
        self._close(command, at, piped)
        return at, ""

    def _part(self, command: _Open, at: int) -> int:
        """Read a redirection, a list or a word."""
        redirect = _REDIRECT.match(self._text, at)
        if redirect:
            return self._redirect(command, redirect)
        array = _ARRAY.match(self._text, at)
        if array and not command.words:
            return self._array(array)
        values, end = self._words.word(at)
        if end == at:  # a sign that begins nothing here
            return at + 1
        if not (not command.words and values[0] in _LEADS):
            command.words.extend(values)
        return end

    def _redirect(self, command: _Open, redirect: re.Match[str]) -> int:
        blank = _BLANK.match(self._text, redirect.end())
        (target, *_), end = self._words.word(blank.end() if blank else redirect.end())
        sign = redirect[2]
        if sign in ("<<", "<<-"):
            command.heredocs.append(target)
        elif sign == "<<<":
            command.stdin = target
        elif sign.startswith(">"):
            command.writes.append(target)
        else:
            command.reads = target
        return end

    def _array(self, array: re.Match[str]) -> int:
        end = closing(self._text, array.end())
        inner = self._text[array.end() : end - 1]
        listed = _Reader(inner, 1, self._known, self._allowance, self._depth + 1)
        values = listed.read() if self._depth < DEEPEST else []
        self._set(array[1], tuple(word for one in values for word in one.words))
        return end

    def _close(self, command: _Open, end: int, piped: bool) -> None:
        words = self._assigned(command.words)
        if words or command.heredocs:
            stop = self._text.find("\n", command.start, end)
            stop = end if stop < 0 else stop
            self._waiting.extend((len(self._found), each) for each in command.heredocs)
            self._found.append(
                Command(
                    words=tuple(words),
                    line=self._line(command.start),
                    text=self._text[command.start : stop].strip(),
                    stdin=command.stdin,
                    reads=command.reads,
                    writes=tuple(command.writes),
                    piped=piped,
                )
            )

    def _assigned(self, words: list[str]) -> list[str]:
        """Take what is set; return the words of the command that is left."""
        if len(words) > 3 and words[0] in ("for", "select") and words[2] == "in":
            self._set(words[1], tuple(words[3:]))
            return []
        rest = words[1:] if words and words[0] in _DECLARES else words
        count = 0
        while count < len(rest) and (
            _ASSIGNED.fullmatch(rest[count]) or (rest is not words and rest[count].startswith("-"))
        ):
            match = _ASSIGNED.fullmatch(rest[count])
            if match:
                self._set(match[1], (match[2],))
            count += 1
        return rest[count:]

    def _set(self, name: str, values: Values) -> None:
        if values:
            self._known[name] = tuple(value[:MOST_LENGTH] for value in values[:16])

    def _heredocs(self, at: int) -> int:
        """Read the here-documents that begin at a line, and give each to its command."""
        for index, end_word in self._waiting:
            begin = at
            while at < len(self._text):
                stop = _line_end(self._text, at)
                line, at = self._text[at:stop], stop + 1
                if line.strip() == end_word:
                    body = self._text[begin:stop].rpartition("\n")[0]
                    break
            else:
                body = self._text[begin:]
            body = _filled(body, self._known, self._allowance)
            self._found[index] = replace(self._found[index], stdin=body)
        self._waiting.clear()
        return at

    def _substitute(self, inner: str, at: int) -> Values:
        """Read the commands of `$(...)`; what they print is known of `echo` alone."""
        if self._depth >= DEEPEST:
            return (inner,)
        line = self._line(at)
        read = _Reader(inner, line, self._known, self._allowance, self._depth + 1).read()
        self._found.extend(read)
        if len(read) == 1 and read[0].words[:1] in (("echo",), ("printf",)):
            return (" ".join(word for word in read[0].words[1:] if not word.startswith("-")),)
        return (f"$({inner[:MOST_LENGTH]})",)

    def _line(self, at: int) -> int:
        """The line of a position; asked in ascending order, each part is counted once."""
        last, line = self._counted
        if at >= last:
            self._counted = (at, line + self._text.count("\n", last, at))
            return self._counted[1]
        return line - self._text.count("\n", at, last)


_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


def _filled(text: str, known: Mapping[str, Values], allowance: Allowance) -> str:
    """A here-document with the variables that are known."""

    def value(match: re.Match[str]) -> str:
        values = known.get(match[1] or match[2])
        return values[0] if values and allowance.take(values) else match[0]

    return _VARIABLE.sub(value, text) if "$" in text else text


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
