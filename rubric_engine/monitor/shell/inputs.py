"""What `read` and `mapfile` are given: a file, a here-string, or the input of a loop."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.given import body_behind, listed, names_of, output_of
from rubric_engine.monitor.shell.known import Known
from rubric_engine.monitor.shell.words import Values, WordReader, closing

_DONE = re.compile(r"\bdone[ \t]*(<<<|<<-?|<)[ \t]*")
_SEPARATORS = re.compile(r"[\s:,;/|]+")


class Inputs:
    """The inputs of the loops of one script.

    Args:
        text: The script.
        known: What is known of variables and files.
        words: Reads the script's words.
        inner: Reads the commands of a script within it, that begins at a line.
    """

    def __init__(
        self,
        text: str,
        known: Known,
        words: WordReader,
        inner: Callable[[str, int], list[Command]],
    ) -> None:
        self._text = text
        self._known = known
        self._words = words
        self._inner = inner
        self._loop: tuple[int, Values] | None = None  # where the next loop ends, and its input

    def take_in(self, words: Sequence[str], values: Values) -> None:
        """Set the variables that a command reads; one line may fall into as many parts."""
        names = names_of(words)
        parts = _SEPARATORS.split(values[0]) if len(values) == 1 else []
        for place, name in enumerate(names):
            is_part = len(names) == len(parts) > 1
            self._known.set(name, (parts[place],) if is_part else values)

    def lines_of(self, paths: Values) -> Values:
        """The lines of files; of those that are unknown, their names."""
        return listed(self._known.files.among(paths)) or paths

    def of_loop(self, at: int) -> Values:
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
            return listed(output_of(self._inner(inner, 1), self._known.files))
        values, _ = self._words.word(at)
        if sign == "<":
            return self.lines_of(values)
        if sign == "<<<":
            return listed("\n".join(values))
        return listed(body_behind(self._text, at, values[0], self._known.allowance))
