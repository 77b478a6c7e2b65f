"""What was found: a place, its kind, and an excerpt that cannot hide anything."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal[
    "addresses_judge",
    "orders_judge",
    "fake_verdict",
    "fence_marker",
    "hidden_unicode",
    "hidden_text",
    "encoded_text",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

REACH = 140
"""Characters from a place on that its excerpt shows."""

_BEFORE = 60
_PLAIN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Finding(BaseModel):
    """One place where a text may speak to a judge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(description="File of the submission, or the log of its run.")
    line: int | None = Field(description="Line from 1; None where the name of the file speaks.")
    kind: Kind
    excerpt: str = Field(description="What stands there; what cannot be seen is escaped.")

    @property
    def place(self) -> str:
        """`path:line`."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Spot:
    """Where something was found in one text.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last one.
        kind: What it is.
        said: What it says, where that is not what stands there.
    """

    start: int
    end: int
    kind: Kind
    said: str | None = None


class Scan(BaseModel):
    """What a scan of a submission found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int = Field(
        default=0, description="Findings, listed or not: two where one line has two kinds."
    )
    counts: dict[Kind, int] = Field(default_factory=dict, description="The same by kind.")
    findings: tuple[Finding, ...] = ()
    files: int = Field(default=0, description="Texts that were read.")
    unread: int = Field(default=0, description="Texts that were not read to their end.")


def visible(text: str) -> str:
    r"""The text on one line, with an escape for every character that cannot be seen.

    >>> visible("a\u200bb\n c")
    'a\\u200bb c'
    """
    words = " ".join(text.split())
    if words.isascii() and words.isprintable():
        return words
    return "".join(_escaped(c) if unicodedata.category(c) in _PLAIN else c for c in words)


def excerpt(text: str, start: int, end: int) -> str:
    """What stands around a place, from its line's beginning at most."""
    least = max(0, start - _BEFORE)
    begin = max(text.rfind("\n", least, start) + 1, least)
    cut = "..." if begin and text[begin - 1] != "\n" else ""
    stop = min(max(end, start), start + REACH)
    line_end = text.find("\n", stop, start + REACH)
    return cut + visible(text[begin : line_end if line_end >= 0 else start + REACH])


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
