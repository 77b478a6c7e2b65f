"""The tags of a text, each on its own.

A parser of pages waits for the end of whatever is open: one `<!--` or `<script>` that nothing
closes, in a string of a program, and it is blind to all that follows. Here a tag is what looks like
one, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A tag whose quotes hold what they like, within bounds; else what reaches to the next bracket.
_TAG = re.compile(
    r"""<(/?)([A-Za-z][\w:-]{0,40})
    ((?>(?:[^<>"']{1,400}+|"[^"]{0,400}+"|'[^']{0,400}+'){0,40})(?=>)|[^<>]*+)>""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]{1,80}+)(?:\s{0,20}+=\s{0,20}+("[^"]*+"|'[^']*+'|[^\s"'>]*+))?"""
)
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Tag:
    """A tag.

    Attributes:
        start: Offset of its `<`.
        end: Offset behind its `>`.
        name: Name, in small letters.
        closes: Whether it ends an element.
        is_empty: Whether no text can stand in its element.
        attributes: What stands between name and `>`, unread.
    """

    start: int
    end: int
    name: str
    closes: bool
    is_empty: bool
    attributes: str

    def values(self) -> dict[str, str]:
        """The attributes, of which the first of a name counts, by names in small letters."""
        found: dict[str, str] = {}
        for name, value in _ATTRIBUTE.findall(self.attributes):
            quoted = value[:1] in ("'", '"')
            found.setdefault(name.lower(), value[1:-1] if quoted else value)
        return found


def tags(text: str) -> Iterator[Tag]:
    """The tags of a text, in order."""
    for match in _TAG.finditer(text):
        name = match[2].lower()
        is_empty = name in _VOID or match[3].endswith("/")
        yield Tag(match.start(), match.end(), name, bool(match[1]), is_empty, match[3])
