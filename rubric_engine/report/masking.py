"""Hiding what nobody should send on: secrets by their look, and what a person names.

Both work in all texts that go out, one by one, and never change how many lines a text has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from rubric_engine.grading import REASONS, Status
from rubric_engine.injection import KINDS
from rubric_engine.monitored import Area, Decision, MonitorVerdict, Policy, Severity, Source
from rubric_engine.report.apart import told_apart
from rubric_engine.report.patterns import asked_for
from rubric_engine.report.repeated import MARK, Repeated
from rubric_engine.report.secret_spans import secrets_in

HIDDEN = MARK

_OF_MONITOR = (Area, Decision, MonitorVerdict, Policy, Severity, Source)

_ENGINE_WORDS = frozenset(
    {"met", "not met", "not_met", "part", "open", "n/a", "cannot_judge", "zero", "renormalise"}
    | {"verified", "moved", "not_found", "running", "done", "stopped", "died", "unreadable"}
    | {*REASONS, *KINDS, *get_args(Status)}
    | {word for words in _OF_MONITOR for word in get_args(words)}
    | {"checked", "unknown"}
)
"""Words of the page's data that the engine coins; a page without them could not be read."""

_NAMED_BY_OTHERS = frozenset({"votes", "scores", "grades", "metrics"})
"""Mappings whose names come from people."""

_MADE_BY_OTHERS = frozenset({"card", "settings", "limits", "versions", "extra"})
"""Mappings in which every name, at any depth, may come from people."""

_MASKED_BEFORE = "excerpt"
_QUOTED = "quote"


Hit = tuple[int, bool, bytes]
"""Line of a hidden place, whether a person's pattern named it, and what stood there."""


@dataclass
class Masked:
    """How many places were hidden.

    Attributes:
        secrets: Known by their look.
        redacted: That a person's patterns named.
    """

    secrets: int = 0
    redacted: int = 0

    def add(self, other: Masked) -> None:
        """Count what was hidden elsewhere, too."""
        self.secrets += other.secrets
        self.redacted += other.redacted

    def to_dict(self) -> dict[str, int]:
        """As plain JSON values."""
        return {"secrets": self.secrets, "redacted": self.redacted}


@dataclass(frozen=True)
class MaskedLines:
    """The lines of a text with all hidden that is to be.

    Attributes:
        lines: The lines.
        secrets: Secrets by the index of a line, where there are any.
        redacted: What patterns named, likewise.
        hidden: The pieces of lines that were hidden, and whether a pattern named them.
    """

    lines: Sequence[str]
    secrets: Mapping[int, int]
    redacted: Mapping[int, int]
    hidden: Mapping[str, bool] = field(default_factory=dict)


class Mask:
    """Hides secrets, and whatever patterns find.

    Args:
        redact: Patterns of google-re2.
        kept: More words that the engine coins.

    Attributes:
        count: What was hidden so far.

    Raises:
        UsageError: A pattern is none, or fits empty places.
    """

    def __init__(self, redact: Sequence[str] = (), kept: Iterable[str] = ()) -> None:
        self.count = Masked()
        self._kept = _ENGINE_WORDS | {*kept}
        self._redact = [asked_for(pattern) for pattern in redact]

    def of(self, value: Any, name: str = "", hide: Repeated | None = None) -> Any:
        """Plain JSON values with every text of them masked, but for words that the engine coins.

        Args:
            value: The values.
            name: Under which name they stand.
            hide: Hides more, before the rest is.
        """
        if isinstance(value, str):
            return value if value in self._kept else self._text(value, hide, quoted=name == _QUOTED)
        if name == _MASKED_BEFORE:
            return value
        if isinstance(value, Mapping):
            if name in _NAMED_BY_OTHERS or name in _MADE_BY_OTHERS:
                inside = name if name in _MADE_BY_OTHERS else ""
                names = told_apart([self._text(str(key), hide) for key in value])
                every = zip(names, value.values(), strict=True)
                return {key: self.of(one, inside, hide) for key, one in every}
            return {key: self.of(inner, key, hide) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(inner, name, hide) for inner in value]
        return value

    def text(self, text: str) -> str:
        """One text, masked."""
        hits: list[Hit] = []
        masked = self._masked(text, hits)
        self._add(hit[1] for hit in hits)
        return masked

    def _text(self, text: str, hide: Repeated | None, *, quoted: bool = False) -> str:
        if hide is None:
            return self.text(text)
        before = len(hide.found)
        known = hide(text, quoted=quoted)
        self._add(hide.found[before:])
        return self.text(known)

    def _add(self, named: Iterable[bool]) -> None:
        every = [*named]
        self.count.add(Masked(every.count(False), every.count(True)))

    def lines(self, lines: Sequence[str]) -> MaskedLines:
        """The lines of one text, masked as a whole; nothing is counted."""
        hits: list[Hit] = []
        masked = self._masked("\n".join(lines), hits)
        counts: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for line, named, _ in hits:
            counts[named][line] = counts[named].get(line, 0) + 1
        return MaskedLines(masked.split("\n") if lines else (), *counts, _pieces(hits))

    def _masked(self, text: str, hits: list[Hit]) -> str:
        """The text masked; `hits` gets each place."""
        data = _bytes(text)
        hidden = _replaced(data, secrets_in(data), hits, named=False)
        for pattern in self._redact:
            hidden = _replaced(hidden, _spans(pattern, hidden), hits, named=True)
        return text if hidden is data else _text(hidden)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # a pattern may split a character, with \C
        return data.decode("utf-8", "replace")


def _spans(pattern: Any, data: bytes) -> Iterator[tuple[int, int]]:
    """The bounds of each match in a text."""
    for match in pattern.finditer(data):
        if match.end() > match.start():
            yield match.start(), match.end()


def _replaced(
    data: bytes,
    spans: Iterable[tuple[int, int]],
    hits: list[Hit],
    *,
    named: bool,
) -> bytes:
    """A text with a mark in place of each span; without any, the very same."""
    parts: list[bytes] = []
    done = line = 0
    for start, end in spans:
        line += data.count(b"\n", done, start)
        parts += [data[done:start], _hidden(data[start:end])]
        hits.append((line, named, data[start:end]))
        line += data.count(b"\n", start, end)
        done = end
    return b"".join([*parts, data[done:]]) if parts else data


def _pieces(hits: Iterable[Hit]) -> dict[str, bool]:
    """What was hidden, line by line, and whether a pattern named it."""
    lines = ((line, named) for _, named, found in hits for line in _text(found).split("\n"))
    pieces = {part.strip(): named for line, named in lines for part in line.split(HIDDEN)}
    return {piece: named for piece, named in pieces.items() if piece}


def _hidden(found: bytes) -> bytes:
    """A mark in place of each line of what was found."""
    return b"\n".join(HIDDEN.encode() if line else line for line in found.split(b"\n"))
