"""The simple commands of a shell script: their words, input, and the files that they write."""

from __future__ import annotations

import re
from itertools import chain, dropwhile

from rubric_engine.monitor.shell.command import Command, OpenCommand
from rubric_engine.monitor.shell.given import (
    READS,
    body_behind,
    filled,
    first_of,
    listed,
    names_of,
    output_of,
)
from rubric_engine.monitor.shell.printing import formatted
from rubric_engine.monitor.shell.words import MOST_LENGTH, Allowance, Values, WordReader, closing

DEEPEST = 6
"""How deep scripts in scripts are read."""

_BLANK = re.compile(r"(?:[ \t\r]|\\\n)+")
_OPERATOR = re.compile(r"\|\||&&|;;&?|;&|\|&|[;&|()\n]")
_REDIRECT = re.compile(r"(\d*|&)(<<<|<<-?|<>|>>|>\||>&|<&|>|<)")
_REDIRECTS = frozenset("<>&0123456789")
_PLAIN = re.compile(r"(?:[\w./:@%+,~^-]++(?:[ \t]++|(?=[;&|)\n]|\Z)))++")
"""Words without a sign that a shell reads, up to one with any: most commands are one such run."""

_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=(.*)", re.DOTALL)
_ARRAY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=\(")
_KEYWORDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until"})
_LEADS = _KEYWORDS | {"while", "time", "coproc"}
_DONE = re.compile(r"\bdone[ \t]*(<<<|<<-?|<)[ \t]*")
_LONGEST_PIPE = 8
_DECLARES = frozenset({"declare", "export", "local", "readonly", "typeset"})


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
        self._loop: tuple[int, Values] | None = None  # where the next loop ends, and its input

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
        command = OpenCommand(at)
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

    def _part(self, command: OpenCommand, at: int) -> int:
        """Read words in which nothing is hidden, or a redirection, a list or a word."""
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
        if not (not command.words and values[0] in _LEADS):
            command.words.extend(values)
        return end

    def _redirect(self, command: OpenCommand, redirect: re.Match[str]) -> int:
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
        values = self._reader(inner, 1).read() if self._depth < DEEPEST else []
        before = self._known.get(array[1], ()) if array[2] else ()
        self._set(array[1], (*before, *(word for one in values for word in one.words)))
        return end

    def _close(self, command: OpenCommand, end: int, piped: bool) -> None:
        words = self._assigned(command.words)
        if words or command.heredocs:
            stop = self._text.find("\n", command.start, end)
            stop = end if stop < 0 else stop
            self._waiting.extend((len(self._found), each) for each in command.heredocs)
            if words and words[0] in READS:
                self._take_in(command, words, end, piped)
            elif words[:2] == ["printf", "-v"] and len(words) > 3:
                self._set(words[2], (formatted(words[3:])[:MOST_LENGTH],))
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
            # What a command prints falls into words here; what it runs is not known yet.
            listed = (word.split() if "$(" not in word else (word,) for word in words[3:])
            self._set(words[1], tuple(chain.from_iterable(listed)))
            return []
        rest = words[1:] if words and words[0] in _DECLARES else words
        count = 0
        while count < len(rest) and (
            _ASSIGNED.fullmatch(rest[count]) or (rest is not words and rest[count].startswith("-"))
        ):
            match = _ASSIGNED.fullmatch(rest[count])
            if match:
                before = self._known.get(match[1], ("",)) if match[2] else ("",)
                self._set(match[1], tuple(one + match[3] for one in before))
            count += 1
        return rest[count:]

    def _set(self, name: str, values: Values) -> None:
        if values:
            self._known[name] = tuple(value[:MOST_LENGTH] for value in first_of(values))

    def _take_in(self, command: OpenCommand, words: list[str], end: int, piped: bool) -> None:
        """Set the variables of `read` to what it is given, or to what the loop around it is."""
        if command.stdin is not None:
            values = listed(command.stdin)
        elif command.reads is not None:
            values = (command.reads,)
        elif piped:
            values = listed(self._piped(end))
        else:
            values = self._of_loop(end)
        for name in names_of(words):
            self._set(name, values)

    def _piped(self, at: int) -> str:
        last = len(self._found) - 1
        if self._waiting and self._waiting[-1][0] == last:
            return body_behind(self._text, at, self._waiting[-1][1])
        return output_of(self._found[-_LONGEST_PIPE:])

    def _of_loop(self, at: int) -> Values:
        """What the next `done` that is given anything gives to its loop; looked for once."""
        if self._loop is None or self._loop[0] < at:
            done = _DONE.search(self._text, at)
            values = self._at_done(done) if done else ()
            self._loop = (done.start() if done else len(self._text) + 1, values)
        return self._loop[1]

    def _at_done(self, done: re.Match[str]) -> Values:
        sign, at = done[1], done.end()
        if self._text.startswith("<(", at):
            inner = self._text[at + 2 : closing(self._text, at + 2) - 1]
            deep = self._depth >= DEEPEST
            read = [] if deep else self._reader(inner, 1).read()
            return listed(output_of(read))
        values, _ = self._words.word(at)
        if sign == "<":
            return values
        if sign == "<<<":
            return listed("\n".join(values))
        return listed(body_behind(self._text, at, values[0]))

    def _reader(self, inner: str, line: int) -> _Reader:
        return _Reader(inner, line, self._known, self._allowance, self._depth + 1)

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
            body = filled(body, self._known, self._allowance)
            self._found[index] = self._found[index]._replace(stdin=body)
        self._waiting.clear()
        return at

    def _substitute(self, inner: str, at: int) -> Values:
        """Read the commands of `$(...)`; a file that they print stands as its name."""
        if self._depth >= DEEPEST:
            return (inner,)
        read = self._reader(inner, self._line(at)).read()
        self._found.extend(read)
        if inner.lstrip().startswith("<"):  # as `cat` does
            return (inner.lstrip("< \t").strip(),)
        return (output_of(read) or f"$({inner[:MOST_LENGTH]})",)

    def _line(self, at: int) -> int:
        """The line of a position; asked in ascending order, each part is counted once."""
        last, line = self._counted
        if at >= last:
            self._counted = (at, line + self._text.count("\n", last, at))
            return self._counted[1]
        return line - self._text.count("\n", at, last)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
