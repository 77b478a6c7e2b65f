"""A simple command of a shell script, read or being read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Command(NamedTuple):
    """One simple command.

    Attributes:
        words: Its words, the program first; variables that are known stand resolved.
        line: Where it begins, from 1.
        text: Its first line as it is written.
        stdin: What a here-document or a here-string gives it; None without one.
        reads: The file that it reads instead, or None.
        writes: Files that it writes its output to.
        appends: Files that it puts its output behind.
        piped: Whether its input is the output of the command before it.
    """

    words: tuple[str, ...]
    line: int
    text: str
    stdin: str | None = None
    reads: str | None = None
    writes: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()
    piped: bool = False


@dataclass
class OpenCommand:
    """The command that is being read."""

    start: int
    words: list[str] = field(default_factory=list)
    stdin: str | None = None
    reads: str | None = None
    writes: list[str] = field(default_factory=list)
    appends: list[str] = field(default_factory=list)
    is_negated: bool = False
    heredocs: list[str] = field(default_factory=list)

    def closed(self, words: list[str], line: int, text: str, piped: bool) -> Command:
        """The command, once it is read.

        Args:
            words: Its words, without what it sets.
            line: Where it begins, from 1.
            text: Its first line.
            piped: Whether its input is the output of the command before it.
        """
        return Command(
            words=tuple(words),
            line=line,
            text=text,
            stdin=self.stdin,
            reads=self.reads,
            writes=tuple(self.writes),
            appends=tuple(self.appends),
            piped=piped,
        )
