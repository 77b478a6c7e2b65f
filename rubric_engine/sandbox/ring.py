"""A file of bounded size that keeps the beginning and the end of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_CHUNK = 1 << 20


class RingFile:
    """The beginning of a stream, and behind it its end, as a ring that is written round and round.

    Args:
        path: Of the file, which is made.
        limit: Bytes kept, half of them from the beginning.

    Attributes:
        total: Bytes that came.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._head = limit // 2
        self._ring = limit - self._head
        self._file = path.open("w+b")
        self.total = 0

    @property
    def omitted(self) -> int:
        """Bytes between beginning and end."""
        return max(0, self.total - self._head - self._ring)

    def write(self, data: bytes) -> None:
        """Take the next bytes.

        Raises:
            OSError: The disk refuses.
        """
        rest = memoryview(data)
        while rest:
            place, room = self._place(self.total)
            if place == self._head:
                self._file.seek(place)
            self._file.write(rest[:room])
            self.total += len(rest[:room])
            rest = rest[room:]

    def read(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes of the stream from `start` to `end`, all of which are kept, in pieces."""
        while start < end:
            place, room = self._place(start)
            self._file.seek(place)
            piece = self._file.read(min(room, end - start, _CHUNK))
            yield piece
            start += len(piece)

    def pieces(self) -> Iterator[bytes]:
        """All that is kept, with a line where bytes were left out."""
        if not self.omitted:
            yield from self.read(0, self.total)
            return
        yield from self.read(0, self._head)
        yield f"\n[... {self.omitted} bytes left out ...]\n".encode()
        yield from self.read(self.total - self._ring, self.total)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _place(self, at: int) -> tuple[int, int]:
        """Where in the file the byte at that place of the stream is, and how many follow it."""
        if at < self._head:
            return at, self._head - at
        turn = (at - self._head) % self._ring
        return self._head + turn, self._ring - turn
