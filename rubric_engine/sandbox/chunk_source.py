"""Reading an archive that comes in chunks."""

from __future__ import annotations

from collections.abc import Iterable

from rubric_engine.errors import SandboxError


class ChunkSource:
    """The chunks, to be read in pieces of a size that is asked for."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """See `headers.Source`.

        Raises:
            SandboxError: The chunks end with an error of the system or the network.
        """
        while not self._rest:
            try:
                chunk = next(self._chunks, None)
            except OSError as error:  # else it would pass for one of our own disk
                raise SandboxError(
                    f"the files of the run could not be read: {error}", code="E831"
                ) from error
            if chunk is None:
                return b""
            self._rest = memoryview(chunk)
        data, self._rest = bytes(self._rest[:size]), self._rest[size:]
        return data

    def count_member(self) -> None:
        """See `headers.Source`."""
