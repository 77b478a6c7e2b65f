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
        return cut_log(bytes(self._head), bytes(self._tail[-self._tail_size :]), self._total)


def cut_log(head: bytes, tail: bytes, total: int) -> Log:
    """A log of which beginning and end are kept, as text; no character is cut.

    Args:
        head: The beginning.
        tail: The end, which follows `head` at once or after a gap.
        total: Bytes of the whole log.
    """
    if total == len(head) + len(tail):
        return Log(head=(head + tail).decode("utf-8", "replace"))
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    head_text = decoder.decode(head)
    half_character = len(decoder.getstate()[0])
    tail = tail[_continuation(tail) :]
    return Log(
        head=head_text,
        tail=tail.decode("utf-8", "replace"),
        omitted_bytes=total - len(head) + half_character - len(tail),
    )


def _continuation(data: bytes) -> int:
    """How many first bytes belong to a character that began before."""
    start = data[:3]
    return len(start) - len(start.lstrip(bytes(range(0x80, 0xC0))))
