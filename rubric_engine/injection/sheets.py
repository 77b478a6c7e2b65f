"""The style sheets inside a page: which names they hide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rubric_engine.injection.styles import (
    GROUNDS,
    Hiding,
    declared,
    hiding,
    white_ground,
    white_ink,
)

_SHEET = re.compile(r"<style[^<>]{0,200}>([^<]{0,200000})", re.IGNORECASE)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,2000})\}")
_LAST = re.compile(r"([.#]?[\w-]{1,80})(?:\[[^\]]{0,80}\]|::?[\w-]{1,30})?\s{0,9}$")
_COLOURS = ("color", "fill", *GROUNDS)
_SIMPLE = re.compile(r"\s{0,99}[.#]?[\w-]{1,80}\s{0,99}")
_SOMETIMES = re.compile(r"@(?:media|supports|container)", re.IGNORECASE)


@dataclass
class Sheets:
    """What the rules of a page say of a tag, a `.class` or an `#id`.

    Attributes:
        hidden: How a rule hides what it names: the strongest, for others may never apply.
        colours: The first colours that a rule gives, for one name may set the ink and another the
            ground.
        white: Whether it is written in white, and nothing but white, by rules that always apply.
        grounds: Whether it stands on white, and nothing but white, by any rule.
    """

    hidden: dict[str, Hiding] = field(default_factory=dict)
    colours: dict[str, dict[str, str]] = field(default_factory=dict)
    white: dict[str, bool] = field(default_factory=dict)
    grounds: dict[str, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Sheets:
        """Read the style elements of a page."""
        found = cls()
        for selectors, block, applies in _rules(text):
            style = declared(block)
            found._take_hiding(selectors, style)
            found._take_white(selectors, style, applies=applies)
        return found

    def _take_hiding(self, selectors: str, style: dict[str, str]) -> None:
        how = hiding(style)
        colours = {name: style[name] for name in _COLOURS if name in style}
        for name in _names(selectors) if how or colours else ():
            if how is not None and self.hidden.get(name) != "on_its_ground":
                self.hidden[name] = how
            self.colours[name] = colours | self.colours.get(name, {})

    def _take_white(self, selectors: str, style: dict[str, str], *, applies: bool) -> None:
        ink, ground = white_ink(style), white_ground(style)
        for selector, name in _named(selectors) if ink is not None or ground is not None else ():
            if ground is not None:
                self.grounds[name] = ground and self.grounds.get(name, True)
            if ink is not None:
                always = applies and _SIMPLE.fullmatch(selector) is not None
                self.white[name] = ink and always and self.white.get(name, True)

    def written_white(self, names: Iterable[str], style: dict[str, str]) -> bool | None:
        """Whether an element is written in white; None where it says nothing of its ink."""
        own = white_ink(style)
        known = [self.white[name] for name in names if name in self.white]
        return own if own is not None else all(known) if known else None

    def on_white(self, names: Iterable[str], style: dict[str, str]) -> bool | None:
        """Whether an element stands on white; None where it says nothing of its ground."""
        known = [self.grounds[name] for name in names if name in self.grounds]
        own = white_ground(style)
        return own if own is not None else all(known) if known else None

    def hiding(self, names: Iterable[str], style: dict[str, str]) -> Hiding | None:
        """How an element is hidden that has these names, and these declarations of its own."""
        known = [name for name in names if name in self.colours]
        colours = [self.colours[name] for name in known]
        merged = {key: value for each in colours for key, value in each.items()} | style
        found = {hiding(merged), *(self.hidden.get(name) for name in known)}
        return "on_its_ground" if "on_its_ground" in found else max(found, key=bool)


def _rules(text: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of each rule, and whether it surely applies."""
    for sheet in _SHEET.finditer(text):
        sometimes = _SOMETIMES.search(sheet[1])
        for rule in _RULE.finditer(sheet[1]):
            yield rule[1], rule[2], sometimes is None or rule.start() < sometimes.start()


def _names(selectors: str) -> Iterator[str]:
    """The last simple name of each selector: a class, an id or a tag."""
    return (name for _, name in _named(selectors))


def _named(selectors: str) -> Iterator[tuple[str, str]]:
    for selector in selectors.split(","):
        last = _LAST.search(selector)
        if last is not None:
            yield selector, last[1]
