"""The style sheets inside a page: which names they hide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rubric_engine.injection.styles import Hiding, declared, hiding

_SHEET = re.compile(r"<style[^<>]{0,200}>([^<]{0,200000})", re.IGNORECASE)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,2000})\}")
_LAST = re.compile(r"([.#]?[\w-]{1,80})(?:\[[^\]]{0,80}\]|::?[\w-]{1,30})?\s{0,9}$")
_COLOURS = ("color", "fill", "background", "background-color")


@dataclass
class Sheets:
    """What the rules of a page say of a tag, a `.class` or an `#id`.

    Attributes:
        hidden: How a rule hides what it names: the strongest, for others may never apply.
        colours: The first colours that a rule gives, for one name may set the ink and another the
            ground.
    """

    hidden: dict[str, Hiding] = field(default_factory=dict)
    colours: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Sheets:
        """Read the style elements of a page."""
        found = cls()
        for selectors, block in _rules(text):
            style = declared(block)
            how = hiding(style)
            colours = {name: style[name] for name in _COLOURS if name in style}
            for name in _names(selectors) if how or colours else ():
                if how is not None and found.hidden.get(name) != "on_its_ground":
                    found.hidden[name] = how
                found.colours[name] = colours | found.colours.get(name, {})
        return found

    def hiding(self, names: Iterable[str], style: dict[str, str]) -> Hiding | None:
        """How an element is hidden that has these names, and these declarations of its own."""
        known = [name for name in names if name in self.colours]
        colours = [self.colours[name] for name in known]
        merged = {key: value for each in colours for key, value in each.items()} | style
        found = {hiding(merged), *(self.hidden.get(name) for name in known)}
        return "on_its_ground" if "on_its_ground" in found else max(found, key=bool)


def _rules(text: str) -> Iterator[tuple[str, str]]:
    for sheet in _SHEET.finditer(text):
        for rule in _RULE.finditer(sheet[1]):
            yield rule[1], rule[2]


def _names(selectors: str) -> Iterator[str]:
    """The last simple name of each selector: a class, an id or a tag."""
    for selector in selectors.split(","):
        last = _LAST.search(selector)
        if last is not None:
            yield last[1]
