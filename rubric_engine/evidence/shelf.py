"""The files of one tree, read when they are first wanted, each shown the same way every time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rubric_engine.evidence.excerpt import Content, Excerpt, most_bytes
from rubric_engine.evidence.room import Room
from rubric_engine.files import File, FileIndex

LEAST_PIECE = 1000
"""A piece of a file in less room than this tells nothing."""

_MOST_OF_ROOM = 3


@dataclass(frozen=True)
class Source:
    """Where texts come from.

    Attributes:
        files: The index.
        read: Gives the text of an indexed file, at most so many first bytes of it.
    """

    files: FileIndex
    read: Callable[[str, int], str]


class Shelf:
    """Excerpts of a source's files.

    Args:
        source: The files.
        room: Measures what they take.
    """

    def __init__(self, source: Source, room: Room) -> None:
        self._source = source
        self._room = room
        self._contents: dict[str, Content] = {}
        self._whole: dict[str, Excerpt] = {}
        self._pieces: dict[tuple[str, int], Excerpt | None] = {}

    def file(self, path: str) -> File:
        """The index's entry."""
        return self._source.files[path]

    def beginning(self, path: str, most: int) -> str:
        """The first bytes of a file as text; empty where it is no text."""
        most = min(most, most_bytes(self._source.files[path]))
        return self._source.read(path, most) if most else ""

    def whole(self, path: str) -> Excerpt:
        """A file as it is shown where there is room."""
        if path not in self._whole:
            self._whole[path] = self._content(path).whole(self._room)
        return self._whole[path]

    def piece(self, path: str, limit: int) -> Excerpt | None:
        """The beginning of a file that fits `limit`; None where no line does."""
        if (path, limit) not in self._pieces:
            self._pieces[path, limit] = self._content(path).head(self._room, limit)
        return self._pieces[path, limit]

    def total(self, paths: Iterable[str], limit: int) -> int | None:
        """Size of all files together; None, and no more read, once it is past `limit`."""
        total = 0
        for path in paths:
            total += self.whole(path).size
            if total > limit:
                return None
        return total

    def fill(self, ranked: Iterable[str], limit: int) -> tuple[list[Excerpt], Excerpt | None]:
        """Take files in this order as far as they go.

        No file takes more than a third of the room, so that one long file leaves others in.

        Returns:
            The files taken, and the beginning of the next one where it tells something.
        """
        chosen: list[Excerpt] = []
        left = limit
        for path in ranked:
            excerpt = self._capped(path, limit // _MOST_OF_ROOM)
            if excerpt is None:
                continue
            if excerpt.size > left:
                return chosen, self.piece(path, left) if left >= LEAST_PIECE else None
            chosen.append(excerpt)
            left -= excerpt.size
        return chosen, None

    def _capped(self, path: str, most: int) -> Excerpt | None:
        whole = self.whole(path)
        return whole if whole.size <= most else self.piece(path, most)

    def _content(self, path: str) -> Content:
        if path not in self._contents:
            file = self._source.files[path]
            self._contents[path] = Content.of(file, self.beginning(path, most_bytes(file)))
        return self._contents[path]
