"""A text made ready for quotes to be looked for in it, once, however many there are."""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass
from io import StringIO

from rubric_engine.evidence.lines import clean
from rubric_engine.judges.simple.fence import neutral


@dataclass(frozen=True)
class PlainText:
    """A text as prompts show it, with single spaces for all white space.

    Attributes:
        words: All of it on one line.
        starts: Where each line of the text begins in `words`.
    """

    words: str
    starts: array[int]

    @classmethod
    def of(cls, text: str) -> PlainText:
        """Make a text ready; of its lines no list is made, for they may be millions."""
        words, starts, at = StringIO(), array("I"), 0
        for line in StringIO(_shown(text), newline="\n"):
            starts.append(at)
            if found := " ".join(line.split()):
                at += words.write(f"{found} ")
        return cls(words.getvalue(), starts)

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sys.getsizeof(self.words) + sys.getsizeof(self.starts)

    def between(self, first: int, last: int) -> str:
        """The words of some lines, by their numbers from 1; as far as there are such lines."""
        return self.words[self._start(first) : self._start(last + 1)]

    def _start(self, line: int) -> int:
        at = max(0, line - 1)
        return self.starts[at] if at < len(self.starts) else len(self.words)


def words_of(quote: str) -> str:
    """A quote as it stands in `PlainText.words`, if it does."""
    return " ".join(_shown(quote).split())


def _shown(text: str) -> str:
    return neutral(clean(text))
