"""A log of bounded size that keeps its beginning and its end."""

from __future__ import annotations

import codecs

from rubric_engine.isolation import Log


class BoundedLog:
    """Takes the bytes of a log, in pieces of any size.

    Args:
        limit: Bytes kept, half of them from the beginning.
    """

    def __init__(self, limit: int) -> None:
        self._head_size = limit // 2
        self._tail_size = limit - self._head_size
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        room = self._head_size - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        self._total += len(data)
        if len(self._tail) > 2 * self._tail_size:
            del self._tail[: -self._tail_size]

    def log(self) -> Log:
        """What was kept, as text; no character is cut, and bytes that are no UTF-8 are replaced."""
        tail = bytes(self._tail[-self._tail_size :])
        if self._total == len(self._head) + len(tail):
            return Log(head=(self._head + tail).decode("utf-8", "replace"))
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        head_text = decoder.decode(bytes(self._head))
        half_character = len(decoder.getstate()[0])
        tail = tail[_continuation(tail) :]
        return Log(
            head=head_text,
            tail=tail.decode("utf-8", "replace"),
            omitted_bytes=self._total - len(self._head) + half_character - len(tail),
        )


def _continuation(data: bytes) -> int:
    """How many first bytes belong to a character that began before."""
    start = data[:3]
    return len(start) - len(start.lstrip(bytes(range(0x80, 0xC0))))
