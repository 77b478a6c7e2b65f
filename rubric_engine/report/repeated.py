"""What was hidden in a file, hidden where others repeat it.

A line of a private key tells nothing by itself; beside the file it is known for what it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

_LEAST = 8
"""Characters of the shortest piece that is looked for in texts; words are shorter."""

_LONG = re.compile(r"[^\s'\"`,;]{16,}")
"""What may be a part of a hidden line."""

_MAX_MEMORY = 256_000_000  # bytes that the pattern may take

MARK = "***"


class Repeated:
    """Hides pieces of files in texts.

    Args:
        pieces: The hidden pieces of lines, and whether a person's pattern named them.

    Attributes:
        found: For each place that was hidden, whether a person's pattern named it.
    """

    def __init__(self, pieces: Mapping[str, bool]) -> None:
        self._every = pieces
        self._pieces = {piece: named for piece, named in pieces.items() if len(piece) >= _LEAST}
        self.found: list[bool] = []

    def __call__(self, text: str, *, quoted: bool = False) -> str:
        """A text without the pieces, and without long parts of them.

        Args:
            text: The text.
            quoted: Whether it is lines of a file: there also short pieces are known.
        """
        if quoted and self._every:
            text = "\n".join(map(self._line, text.split("\n")))
        if not self._pieces or len(text) < _LEAST:
            return text
        data = self._pattern.sub(self._whole, text.encode("utf-8", "surrogatepass"))
        return _LONG.sub(self._part, data.decode("utf-8", "surrogatepass"))

    @cached_property
    def _pattern(self) -> Any:
        import re2

        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MAX_MEMORY
        longest_first = sorted(self._pieces, key=len, reverse=True)
        every = "|".join(map(re2.escape, longest_first))
        return re2.compile(every.encode("utf-8", "surrogatepass"), options)

    @cached_property
    def _all(self) -> str:
        return "\n".join(self._pieces)

    def _line(self, line: str) -> str:
        named = self._every.get(line.strip())
        if named is None:
            return line
        self.found.append(named)
        return MARK

    def _whole(self, match: Any) -> bytes:
        self.found.append(self._pieces[match.group().decode("utf-8", "surrogatepass")])
        return MARK.encode()

    def _part(self, match: re.Match[str]) -> str:
        if match.group() not in self._all:
            return match.group()
        self.found.append(False)
        return MARK
