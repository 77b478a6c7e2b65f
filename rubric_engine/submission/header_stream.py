"""The stream that tarfile reads headers from: bounded, and with what was looked at put back."""

from __future__ import annotations

import re
import tarfile
from typing import IO

_MOST_FOR_ONE = 4 << 20
_MOST_IN_ALL = 256 << 20
_LONGEST_NUMBER = 100
_NOT_VALID = "an extended header that is not valid"
_NUMBERS = re.compile(rb"[0-9]+")


class HeadersTooLarge(tarfile.ReadError):
    """There is more of headers than is read."""


class HeaderStream:
    """Counts what is read while `counting` is set, and passes everything else on.

    Args:
        stream: What tarfile would read from.

    Attributes:
        counting: Whether headers are read.
        last: What was read last of headers.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.counting = False
        self.last = b""
        self._stream = stream
        self._returned = b""
        self._one = self._all = 0

    def begin(self) -> None:
        """From now on headers are read, those of one more member."""
        self.counting = True
        self._one = 0

    def read(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            HeadersTooLarge: Those of one member are, or the archive holds too much of them.
        """
        if self._returned:
            data, self._returned = self._returned[:size], self._returned[size:]
            return data
        if self.counting:
            self._one += size
            self._all += size
            if self._one > _MOST_FOR_ONE or self._all > _MOST_IN_ALL:
                raise HeadersTooLarge("its headers are too large")
            self.last = self._stream.read(size)
            return self.last
        return self._stream.read(size)

    def put_back(self, data: bytes) -> None:
        """Let the last bytes be read once more."""
        self._returned = data

    def seek(self, position: int) -> int:
        """Go to a position."""
        return self._stream.seek(position)

    def tell(self) -> int:
        """The position."""
        return self._stream.tell() - len(self._returned)

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()


def check_records(data: bytes) -> None:
    """Make sure that a pax header holds records of the right form.

    On others, and on numbers that do not end, tarfile may take quadratic time and memory.

    Raises:
        ReadError: It does not.
    """
    if any(len(number) > _LONGEST_NUMBER for number in _NUMBERS.findall(data)):
        raise tarfile.ReadError(_NOT_VALID)
    position = 0
    while position < len(data) and data[position]:  # NUL fills the block
        number, _, _ = data[position : position + _LONGEST_NUMBER].partition(b" ")
        end = position + int(number) if number.isdigit() else 0
        start = position + len(number) + 1
        record = data[start:end]
        if end > len(data) or b"=" not in record or not record.endswith(b"\n"):
            raise tarfile.ReadError(_NOT_VALID)
        position = end
