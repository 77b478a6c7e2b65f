"""Hiding the variables that only the script may know from what it prints."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

LEAST = 6
"""Characters of a value that is hidden; shorter ones, such as `1`, stand everywhere."""

_HIDDEN = b"***"


class Redactor:
    """Puts `***` in place of values, in a stream that comes in pieces of any size.

    Args:
        values: What to hide; those of fewer than `LEAST` characters are not.
    """

    def __init__(self, values: Iterable[str]) -> None:
        secret = {os.fsencode(value) for value in values if len(value) >= LEAST}
        longest_first = sorted(secret, key=lambda value: (-len(value), value))
        self._pattern = re.compile(b"|".join(map(re.escape, longest_first))) if secret else None
        self._held_back = max(map(len, secret), default=1) - 1
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes; returns those that can be no part of a value that is not whole."""
        if self._pattern is None:
            return data
        data = self._rest + data
        # A value that begins before here is whole, also where another one begins with it.
        known = max(0, len(data) - self._held_back)
        passed, done = [], 0
        for match in self._pattern.finditer(data):
            if match.start() >= known:
                break
            passed += [data[done : match.start()], _HIDDEN]
            done = match.end()
        cut = max(known, done)
        self._rest = data[cut:]
        return b"".join([*passed, data[done:cut]])

    def end(self) -> bytes:
        """The last bytes."""
        rest, self._rest = self._rest, b""
        return rest if self._pattern is None else self._pattern.sub(_HIDDEN, rest)
