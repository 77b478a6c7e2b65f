"""Text that a page hides from people, in HTML, SVG and what notebooks show."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from rubric_engine.injection.finding import Spot
from rubric_engine.injection.sheets import Sheets
from rubric_engine.injection.speaking import speaks
from rubric_engine.injection.styles import NAMES, Hiding, declared
from rubric_engine.injection.tags import Tag, tags

_MARKED = re.compile(
    r"<(?:template|noscript|desc|metadata|style)\b|[\s\"'](?:style|hidden)\b"
    r"|[\s\"'](?:fill|color|opacity|fill-opacity|font-size|visibility|display)\s{0,9}=",
    re.IGNORECASE,
)
_UNSHOWN = frozenset({"template", "noscript", "desc", "metadata"})
_INLINE = frozenset(
    {"a", "b", "code", "em", "font", "i", "s", "small", "span", "strong", "tspan", "u"}
)
_NO_TEXT = frozenset({"script", "style"})
_LEAST_LETTERS = 8
_NEAREST = 50  # open elements among which the one that a tag closes is looked for


def hidden_elements(text: str) -> Iterator[Spot]:
    """Elements that are hidden and speak of judging, or are written in their own ground."""
    if _MARKED.search(text) is None:
        return
    page = _Page(Sheets.of(text))
    for tag in tags(text):
        page.take(text, tag)
    yield from page.end(text)


@dataclass
class _Hidden:
    """What one hidden element says, in pieces, and where each piece stands."""

    how: Hiding
    depth: int
    pieces: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def spots(self) -> Iterator[Spot]:
        said = "".join(self.pieces)
        starts = [0]
        for piece in self.pieces:
            starts.append(starts[-1] + len(piece))
        found = list(dict.fromkeys(speaks(said)))
        if self.how == "on_its_ground" and sum(map(str.isalpha, said)) >= _LEAST_LETTERS:
            found = found or [len(said) - len(said.lstrip())]
        for at in found:
            nth = min(bisect_right(starts, at), len(self.pieces)) - 1
            place = self.places[nth] + at - starts[nth]
            yield Spot(place, place, "hidden_text", f"(hidden) {said[at:].strip()}")


@dataclass
class _Page:
    """Follows the tags of a text, and gathers what hidden elements say."""

    sheets: Sheets
    open: list[str] = field(default_factory=list)
    hidden: _Hidden | None = None
    at: int = 0
    done: list[_Hidden] = field(default_factory=list)

    def take(self, text: str, tag: Tag) -> None:
        """Go past a tag."""
        self._say(text[self.at : tag.start])
        self.at = tag.start
        self._say("" if tag.name in _INLINE else " ")
        self.at = tag.end
        if tag.closes:
            self._close(tag.name)
        elif not tag.is_empty:
            self.open.append(tag.name)
            if self.hidden is None and (how := self._how(tag)):
                self.hidden = _Hidden(how, len(self.open))

    def end(self, text: str) -> Iterator[Spot]:
        """What was found, once all tags were taken."""
        self._say(text[self.at :])
        for each in (*self.done, *([self.hidden] if self.hidden else ())):
            yield from each.spots()

    def _say(self, said: str) -> None:
        if self.hidden is not None and said and self.open[-1] not in _NO_TEXT:
            self.hidden.pieces.append(said)
            self.hidden.places.append(self.at)

    def _close(self, name: str) -> None:
        if name not in self.open[-_NEAREST:]:
            return
        while self.open.pop() != name:
            pass
        if self.hidden is not None and len(self.open) < self.hidden.depth:
            self.done.append(self.hidden)
            self.hidden = None

    def _how(self, tag: Tag) -> Hiding | None:
        if tag.name in _UNSHOWN:
            return "unseen"
        values = tag.values()
        style = {name: value.lower().strip() for name, value in values.items() if name in NAMES}
        style |= declared(values.get("style", ""))
        classes = [f".{name}" for name in values.get("class", "").split()]
        names = [tag.name, *classes, f"#{values.get('id', '')}"]
        found = self.sheets.hiding(names, style)
        return "unseen" if found is None and "hidden" in values else found
