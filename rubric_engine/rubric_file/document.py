"""Text to plain values: mappings, lists and scalars, with positions where they are asked for."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from rubric_engine.errors import InputError, Place
from rubric_engine.rubric_file.places import Mark, Places
from rubric_engine.rubric_file.scalars import shown
from rubric_engine.rubric_file.source import Blame

MAX_VALUES = 3_000_000
"""Most values in a file: 100,000 criteria have about 1,500,000."""

KEEP = 200
"""Most problems of a file that are kept; of the others only their number is."""

Format = Literal["json", "yaml"]


@dataclass(frozen=True)
class TextFault:
    """Something that a text must not hold although it parses."""

    code: str
    message: str
    mark: Mark
    hint: str | None = None


@dataclass
class Document:
    """The values of a text.

    Attributes:
        file: Name of the file, for messages.
        format: json or yaml.
        value: The outermost value.
        places: Positions, or None where they were not asked for.
        faults: Duplicate keys, anchors, tags and the like.
        unkept: How many more faults there are.
        text: The text itself.
    """

    file: str
    format: Format
    value: Any = None
    places: Places | None = None
    faults: list[TextFault] = field(default_factory=list)
    unkept: int = 0
    text: str = ""

    def fault(self, code: str, message: str, mark: Mark, hint: str) -> None:
        """Take a fault."""
        if len(self.faults) < KEEP:
            self.faults.append(TextFault(code, message, mark, hint))
        else:
            self.unkept += 1

    def place(self, mark: Mark) -> Place:
        """A position in this file."""
        return Place(self.file, *mark)

    def within(self, mark: Mark, value: str, at: int) -> Mark:
        """The position so many characters into a value, or its own where it is not written plainly.

        Escapes and line breaks make the text of a value another than it is in the file.
        """
        row, column = mark
        line = "".join(lines_of(self.text, row, row))[column - 1 :]
        lead = 1 if line[:1] in ("'", '"') and line[1:].startswith(value) else 0
        return (row, column + lead + at) if line[lead:].startswith(value) else mark


class Builder:
    """Puts values together from the outside in, without recursion."""

    def __init__(self, document: Document, *, placed: bool) -> None:
        self.document = document
        self.places = document.places = Places() if placed else None
        self._above: list[tuple[Any, str | None]] = []
        self._container: Any = None
        self._key: str | None = None

    @property
    def depth(self) -> int:
        """Number of open containers."""
        return len(self._above)

    @property
    def inside(self) -> Any:
        """The innermost open container, None outside all."""
        return self._container

    @property
    def wants_key(self) -> bool:
        """True where the next scalar is a key of a mapping."""
        return self._key is None and type(self._container) is dict

    def key(self, key: str, mark: Mark) -> None:
        """Begin a pair of the innermost mapping; a key that stands twice is a fault."""
        if key in self._container:
            self.document.fault("E214", f"duplicate key {shown(key)}", mark, "keep one of the two")
        elif self.places is not None:
            self.places.add_key(self._container, key, mark)
        self._key = key

    def value(self, value: Any, mark: Mark) -> None:
        """Put a value into the innermost container; of a duplicate key the first value stays."""
        container = self._container
        if type(container) is list:
            if self.places is not None:
                self.places.add_value(container, len(container), value, mark)
            container.append(value)
        elif container is None:
            self.document.value = value
            if self.places is not None:
                self.places.add_start(value, mark)
        else:
            if self._key not in container:
                container[self._key] = value
                if self.places is not None:
                    self.places.add_value(container, str(self._key), value, mark)
            self._key = None

    def open(self, container: Any, mark: Mark) -> None:
        """Put a mapping or a list, and go into it."""
        self.value(container, mark)
        self._above.append((self._container, self._key))
        self._container, self._key = container, None

    def close(self) -> None:
        """Leave the innermost container."""
        self._container, self._key = self._above.pop()


def too_many(file: str, blame: Blame) -> InputError:
    """The error for a text with more than `MAX_VALUES` values."""
    return blame.raised("E217", f"{file!r} holds more than {MAX_VALUES:,} values")


def excerpt(text: str, mark: Mark, remark: str = "") -> list[str]:
    """The line of a position with the line before it, and a caret under the column."""
    row, column = mark
    shown = list(enumerate(lines_of(text, max(row - 1, 1), row), max(row - 1, 1)))
    width = len(str(row))
    # A window, since a line may be a whole file; the caret moves with it.
    first = max(0, column - 60)
    rows = [f"{at:>{width}} | {_visible(line[first : first + 100])}" for at, line in shown]
    caret = " " * (column - 1 - first) + "^"
    return [*rows, f"{'':>{width}} | {caret} {remark}".rstrip()]


def lines_of(text: str, first: int, last: int) -> list[str]:
    """Some lines of a text, counted from 1, without a list of all."""
    lines = islice(io.StringIO(text, newline=None), first - 1, last)
    return [line.rstrip("\n") for line in lines]


def _visible(line: str) -> str:
    """The line with every tab as an arrow and what else does not print as a question mark."""
    line = line.replace("\t", "\N{RIGHTWARDS ARROW}")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
