"""The lines of a script: which one a position is on, and where it ends."""

from __future__ import annotations


class Lines:
    """Tells the line of a position.

    Args:
        text: The script.
        line: The line that it begins at.
    """

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._at, self._line = 0, line

    def of(self, at: int) -> int:
        """The line of a position; asked in ascending order, each part is counted once."""
        if at < self._at:
            return self._line - self._text.count("\n", at, self._at)
        self._line += self._text.count("\n", self._at, at)
        self._at = at
        return self._line


def line_end(text: str, at: int) -> int:
    """The position at which the line of a position ends."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end
