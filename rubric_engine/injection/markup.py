"""Text that a page hides from people, in HTML, SVG and what notebooks show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser

from rubric_engine.injection.finding import Spot
from rubric_engine.injection.phrases import phrases

_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
_MARKED = re.compile(
    r"</?[A-Za-z][^<>]{0,2000}?(?:style|hidden|class|id|fill|opacity|font-size)\s{0,4}[=\s>]"
)
_NOT_SEEN = re.compile(
    r"display:none|visibility:hidden|(?:font-size|max-height|height|width):0*(?:\.\d+)?[01]?"
    r"(?:px|pt|em|rem|%)?(?:;|$)|(?:fill-|stroke-)?opacity:0*(?:\.0\d*)?(?:;|$)"
    r"|color:transparent|(?:left|top|text-indent):-\d{3,}|clip:rect\(0"
)
_COLOUR = re.compile(r"(?:^|;)(color|fill|background-color|background):([^;]{1,40})")
_RULE = re.compile(r"([^{}]{1,100})\{([^{}]{1,2000})\}")
_WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)", "snow", "#fefefe", "ivory"})
_OF_JUDGING = re.compile(
    r"\b(?:judge|grader|grading|rubric|criteri(?:on|a)|verdict|reviewer|evaluator|submission|"
    r"instructions?|language model|met|satisfied|full marks|score)\b"
    r"|评审|评委|评分|满分|得分|判定|指令",
    re.IGNORECASE,
)
_LEAST_LETTERS = 8
_MOST_TEXT = 20_000  # characters of one hidden element that are looked at
_LOOSE = 2  # different words of judging that make a hidden text suspect


def hidden_texts(text: str) -> Iterator[Spot]:
    """Elements that are hidden and speak of judging, or are written in their own background."""
    if _MARKED.search(text) is None:
        return
    page = _Page(text)
    # `close` would look for the end of each unclosed comment anew; a last tag flushes as well.
    with suppress(AssertionError):  # which the parser raises on some broken declarations
        page.feed(text.replace("<![", "<?[") + "\n</end>")
    yield from page.spots()


class _Page(HTMLParser):
    """Gathers what hidden elements say."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._starts = [0]
        self._starts += [match.end() for match in re.finditer("\n", text)]
        self._hidden_by = _rules(text)
        self._open: list[str] = []
        self._from: int | None = None  # how many are open where the hiding began
        self._same = False
        self._at = 0
        self._said: list[str] = []
        self._found: list[tuple[int, str, bool]] = []

    def spots(self) -> Iterator[Spot]:
        """What was found."""
        self._end()
        for at, said, same in self._found:
            words = {match[0].lower() for match in _OF_JUDGING.finditer(said)}
            letters = sum(map(str.isalpha, said))
            if (same and letters >= _LEAST_LETTERS) or len(words) >= _LOOSE or any(phrases(said)):
                yield Spot(at, at, "hidden_text", f"(hidden) {said.strip()}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        self._open.append(tag)
        if self._from is None:
            found = self._hides(tag, {name: value or "" for name, value in attrs})
            if found is not None:
                self._from, self._same = len(self._open), found
                line, column = self.getpos()
                self._at = self._starts[min(line, len(self._starts)) - 1] + column

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content hides nothing."""

    def handle_endtag(self, tag: str) -> None:
        near_end = self._open[-50:]
        if tag not in near_end:
            return
        while self._open.pop() != tag:
            pass
        if self._from is not None and len(self._open) < self._from:
            self._end()

    def handle_data(self, data: str) -> None:
        if self._from is not None and self._open[-1:] not in (["script"], ["style"]):
            self._said.append(data[:_MOST_TEXT])

    def _end(self) -> None:
        if self._from is not None:
            said = "".join(self._said)[:_MOST_TEXT]
            self._found.append((self._at, said, self._same))
        self._from, self._said = None, []

    def _hides(self, tag: str, attrs: dict[str, str]) -> bool | None:
        """Whether an element hides what is in it; True where it has the colour of its ground."""
        style = _plain(attrs.get("style", ""))
        style += "".join(f";{name}:{_plain(attrs[name])}" for name in _DRAWN if name in attrs)
        names = [tag, *(f".{name}" for name in attrs.get("class", "").split())]
        names.append(f"#{attrs.get('id', '')}")
        styles = [style, *(self._hidden_by[name] for name in names if name in self._hidden_by)]
        found = [_hiding(each) for each in styles]
        if True in found:
            return True
        return False if False in found or "hidden" in attrs else None


_DRAWN = ("fill", "opacity", "fill-opacity", "font-size", "visibility", "display")


def _plain(style: str) -> str:
    return re.sub(r"\s|!important", "", style.lower()).strip(";")


def _rules(text: str) -> dict[str, str]:
    """Simple selectors of style sheets that hide, and how."""
    found: dict[str, str] = {}
    for sheet in re.finditer(r"<style[^>]{0,200}>([^<]{0,200000})", text, re.IGNORECASE):
        for rule in _RULE.finditer(sheet[1]):
            style = _plain(rule[2])
            if _hiding(style) is not None:
                found |= {name.strip(): style for name in rule[1].split(",")}
    return found


def _hiding(style: str) -> bool | None:
    """As `_hides`, of one declaration block without spaces."""
    colours = dict(_COLOUR.findall(style))
    ground = colours.get("background-color") or colours.get("background")
    ink = colours.get("color")
    if ink is not None and ground is not None and _same(ink, ground):
        return True
    if _NOT_SEEN.search(style) or _same(ink or colours.get("fill") or "", "white"):
        return False
    return None


def _same(ink: str, ground: str) -> bool:
    return ink == ground or (ink in _WHITE and ground in _WHITE)
