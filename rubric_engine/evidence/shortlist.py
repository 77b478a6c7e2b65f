"""The files among which those of a subtree are chosen, as a list that another may rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rubric_engine.evidence.holdings import Holdings
from rubric_engine.evidence.lines import shown_path
from rubric_engine.evidence.select import Sees, Topic, closest_first
from rubric_engine.files import File

MOST_TOKENS = 20_000
"""Most tokens of a list: some 1,500 files."""

_OF_ROOM = 2


@dataclass(frozen=True)
class Shortlist:
    """What a subtree has to choose from.

    Attributes:
        top: Top of the subtree.
        leaves: The leaves whose evidence the choice decides.
        files: The files, in the order of a prompt; of too many those closest by their words.
    """

    top: str
    leaves: tuple[str, ...]
    files: tuple[File, ...]

    @cached_property
    def text(self) -> str:
        """One line a file."""
        return "\n".join(map(_line, self.files))

    @cached_property
    def paths(self) -> dict[str, str]:
        """The files' paths, by how the text shows them."""
        return {shown_path(file.path): file.path for file in self.files}


def shortlist(holdings: Holdings, sees: Sees, topic: Topic) -> tuple[File, ...]:
    """The files of a list.

    Where all files fit, every subtree gets the same list, so that prompts begin alike.

    Args:
        holdings: All that there is.
        sees: What the leaves may see.
        topic: What the subtree is about.
    """
    files: dict[str, File] = {}
    for _, shelf, paths in holdings.sections(sees):
        for path in paths:
            files.setdefault(path, shelf.file(path))
    most = min(MOST_TOKENS, holdings.room.tokens // _OF_ROOM)
    whole = tuple(_fitting(holdings, files.values(), most))
    if len(whole) == len(files):
        return whole
    ranked = closest_first(holdings, files, topic)
    close = {file.path for file in _fitting(holdings, (files[path] for path in ranked), most)}
    return tuple(file for path, file in files.items() if path in close)


def _fitting(holdings: Holdings, files: Iterable[File], most: int) -> Iterator[File]:
    """Files until their lines have so many tokens."""
    for file in files:
        most -= holdings.room.estimate(_line(file)) + 1
        if most < 0:
            return
        yield file


def _line(file: File) -> str:
    return f"- {shown_path(file.path)} ({file.size} bytes, {file.kind})"
