"""What there is to read of a submission and of its run, and which text a citation means.

Code and documents count as they were handed in, what the run of `reproduce.sh` made as it left it,
and its log where a citation names that. So a path may stand for two texts; one of them is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rubric_engine.errors import RubricEngineError
from rubric_engine.evidence import render_notebook, split
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.files import File, Kind, is_source
from rubric_engine.grading import Citation
from rubric_engine.isolation import Execution
from rubric_engine.submitted import Submission

Origin = Literal["submission", "run", "log"]


@dataclass(frozen=True)
class Text:
    """One thing to read; where it is no text, it is only named.

    Attributes:
        path: Its path, as citations name it.
        size: Bytes; of the log, characters.
        kind: Kind by content.
        origin: Handed in, made by the run, or what the run printed.
        most: How much of it is read at most; 0 where it is no text.
        read: Gives so much of it.
    """

    path: str
    size: int
    kind: Kind
    origin: Origin
    most: int
    read: Callable[[int], str]

    @property
    def is_text(self) -> bool:
        """Whether it has lines."""
        return self.most > 0

    def lines(self) -> list[str]:
        """Its lines as judges number them; none where it is no text.

        Raises:
            SubmissionError: It is no longer what it was.
        """
        if not self.is_text:
            return []
        text = self.read(self.most)
        shown = render_notebook(text) if self.kind == "notebook" else None
        return split(text if shown is None else shown)


class Texts:
    """All that there is to read.

    Args:
        handed_in: The submission; None where it is not kept.
        execution: Its run, with the executed submission; None where there was none.

    Attributes:
        all: Every text: the files as handed in, what the run made, its log.
    """

    def __init__(self, handed_in: Submission | None, execution: Execution | None) -> None:
        self.all = tuple(_all(handed_in, execution))
        made = (*execution.created, *execution.modified) if execution is not None else ()
        self._made = frozenset(made)
        self._by_path: dict[str, list[Text]] = {}
        for text in self.all:
            self._by_path.setdefault(text.path, []).append(text)

    def versions(self, path: str) -> list[Text]:
        """What stands at a path; what a citation of it means comes first."""
        first: Origin = "run" if path in self._made and not is_source(path) else "submission"
        found = self._by_path.get(path, ())
        return sorted(found, key=lambda text: (text.origin != "log", text.origin != first))

    def is_meant(self, text: Text) -> bool:
        """Whether a citation of its path means this one of them."""
        return self.versions(text.path)[0] is text

    def lines(self, path: str) -> list[str] | None:
        """The lines of what a citation of a path means; None where there is no such text."""
        for text in self.versions(path):
            with suppress(RubricEngineError, OSError):  # what lost its file shows no excerpt
                if text.is_text:
                    return text.lines()
        return None

    def has(self, citation: Citation) -> bool:
        """Whether there is such a place; a file that is no text has no lines."""
        return self.missing([citation]) is None

    def missing(self, citations: Iterable[Citation]) -> Citation | None:
        """One of some places that is not there, or None; each file is read once."""
        by_path = sorted(citations, key=lambda each: each.path)
        for path, places in groupby(by_path, key=lambda each: each.path):
            lines = self.lines(path)
            for place in places:
                if not self._holds(place, lines):
                    return place
        return None

    def _holds(self, place: Citation, lines: list[str] | None) -> bool:
        if lines is None:
            return place.start_line is None and place.path in self._by_path
        first = place.start_line or 1
        return first <= (place.end_line or first) <= max(len(lines), 1)


def _all(handed_in: Submission | None, execution: Execution | None) -> Iterator[Text]:
    if handed_in is not None:
        yield from (_file(handed_in, file, "submission") for file in handed_in.files)
    if execution is None:
        return
    ran = execution.submission
    if ran is not None and ran is not handed_in:
        made = {*execution.created, *execution.modified}
        for file in ran.files:
            if file.path in made or handed_in is None or file.path not in handed_in.files:
                yield _file(ran, file, "run")
    if execution.log is not None:
        log = execution.log.text
        yield Text(LOG_NAME, len(log), "text", "log", max(len(log), 1), lambda most: log[:most])


def _file(source: Submission, file: File, origin: Origin) -> Text:
    def read(most: int) -> str:
        return source.read(file.path, max_bytes=most)

    return Text(file.path, file.size, file.kind, origin, most_bytes(file), read)
