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
_LOADS = re.compile(r"<(?:link|script)\b|@import\b", re.IGNORECASE)
_WITH_GROUND = frozenset({"svg", "mark", "button"})
_NEAREST = 50  # open elements among which the one that a tag closes is looked for


def hidden_elements(text: str, *, is_page: bool) -> Iterator[Spot]:
    """Elements that are hidden and speak of judging, or are written in their own ground.

    Args:
        text: The text.
        is_page: Whether it is shown on white paper as it stands, and not code that builds pages.
    """
    if "<" not in text or _MARKED.search(text) is None:
        return
    sheets = Sheets.of(text)
    paper = is_page and all(sheets.grounds.get(name, True) for name in ("html", "body", "*"))
    page = _Page(sheets, knows_all=_LOADS.search(text) is None, grounds=[(0, paper)])
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
    letters: int = 0
    first: int = 0

    def say(self, said: str, at: int, *, seen: bool) -> None:
        """Add a piece; what is painted anew inside is heard, and is no text in its ground."""
        if not seen:
            self.letters += sum(map(str.isalpha, said))
        if seen and not self.letters:
            self.first += len(said)
        self.pieces.append(said)
        self.places.append(at)

    def spots(self) -> Iterator[Spot]:
        said = "".join(self.pieces)
        starts = [0]
        for piece in self.pieces:
            starts.append(starts[-1] + len(piece))
        found = list(dict.fromkeys(speaks(said)))
        if self.how == "on_its_ground" and self.letters >= _LEAST_LETTERS:
            text = said[self.first :]
            found = found or [self.first + len(text) - len(text.lstrip())]
        for at in found:
            nth = min(bisect_right(starts, at), len(self.pieces)) - 1
            place = self.places[nth] + at - starts[nth]
            yield Spot(place, place, "hidden_text", f"(hidden) {said[at:].strip()}")


@dataclass
class _Page:
    """Follows the tags of a text, and gathers what hidden elements say."""

    sheets: Sheets
    knows_all: bool
    grounds: list[tuple[int, bool]]
    repainted: int | None = None
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
            self._open(tag)

    def end(self, text: str) -> Iterator[Spot]:
        """What was found, once all tags were taken."""
        self._say(text[self.at :])
        for each in (*self.done, *([self.hidden] if self.hidden else ())):
            yield from each.spots()

    def _say(self, said: str) -> None:
        if self.hidden is not None and said and self.open[-1] not in _NO_TEXT:
            self.hidden.say(said, self.at, seen=self.repainted is not None)

    def _close(self, name: str) -> None:
        if name not in self.open[-_NEAREST:]:
            return
        while self.open.pop() != name:
            pass
        depth = len(self.open)
        while self.grounds[-1][0] > depth:
            self.grounds.pop()
        if self.repainted is not None and depth < self.repainted:
            self.repainted = None
        if self.hidden is not None and depth < self.hidden.depth:
            self.done.append(self.hidden)
            self.hidden = None

    def _open(self, tag: Tag) -> None:
        values = tag.values()
        style = {name: value.lower().strip() for name, value in values.items() if name in NAMES}
        style |= {"background": values["bgcolor"].lower()} if "bgcolor" in values else {}
        style |= declared(values.get("style", ""))
        classes = [f".{name}" for name in values.get("class", "").split()]
        names = [tag.name, *classes, f"#{values.get('id', '')}"]
        ink = self.sheets.written_white(names, style)
        ground = self._ground(tag, names, style)
        if ground is not None:
            self.grounds.append((len(self.open), ground))
        if self.hidden is None:
            how = self._how(tag, names, style, hidden="hidden" in values)
            # What is in white without a ground stands on the paper.
            how = "on_its_ground" if ink and self.grounds[-1][1] else how
            self.hidden = _Hidden(how, len(self.open)) if how else None
        elif self.repainted is None and (ink is False or ground is False):
            self.repainted = len(self.open)

    def _ground(self, tag: Tag, names: list[str], style: dict[str, str]) -> bool | None:
        """Whether it stands on white; None where on what is around it."""
        ground = self.sheets.on_white(names, style)
        if ground is not None:
            return ground and self.grounds[0][1]
        known = self.knows_all or (len(names) == 2 and names[-1] == "#")
        return None if known and tag.name not in _WITH_GROUND else False

    def _how(
        self, tag: Tag, names: list[str], style: dict[str, str], *, hidden: bool
    ) -> Hiding | None:
        if tag.name in _UNSHOWN:
            return "unseen"
        found = self.sheets.hiding(names, style)
        return "unseen" if found is None and hidden else found
