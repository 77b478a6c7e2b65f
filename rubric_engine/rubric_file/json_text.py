"""JSON to values: the standard parser first, a scan with positions where there is an error.

The scan does not recurse, so it also reads what nests more deeply than the standard parser can.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rubric_engine.errors import InputError
from rubric_engine.rubric_file.document import (
    MAX_VALUES,
    Builder,
    Document,
    excerpt,
    too_many,
)
from rubric_engine.rubric_file.places import Mark
from rubric_engine.rubric_file.source import Blame

_TOKEN = re.compile(
    r'[ \t\n\r]*+(?:(?P<string>")|(?P<mark>[][{},:])'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![0-9A-Za-z.])"
    r"|(?P<word>-?[A-Za-z]+))"
)
_WORDS = {
    "true": True,
    "false": False,
    "null": None,
    # Not JSON, but Python and others write them; the reader says where they are not allowed.
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


_DECODER = json.JSONDecoder()


class _Twice(Exception):  # noqa: N818  # a signal, not an error: the scan with positions reports it
    """A key stands twice in an object."""


def parse_json(text: str, file: str, blame: Blame, *, placed: bool) -> Document:
    """Parse JSON; arguments and errors as `rubric_engine.rubric_file.parsing.parse`."""
    if sum(map(text.count, "[{,")) > MAX_VALUES:
        raise too_many(file, blame)
    document = Document(file, "json")
    if placed:
        return _scanned(text, document, blame)
    try:
        document.value = json.loads(text, object_pairs_hook=_pairs)
    except (RecursionError, _Twice, ValueError):
        return _scanned(text, document, blame)
    return document


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice
    return found


def _scanned(text: str, document: Document, blame: Blame) -> Document:
    scan = _Scan(text, document, blame)
    scan.run()
    return document


class _Scan:
    """One pass over the tokens of a text."""

    def __init__(self, text: str, document: Document, blame: Blame) -> None:
        self.text = text
        self.document = document
        self.blame = blame
        self.builder = Builder(document, placed=True)
        self._line, self._line_start, self._seen = 1, 0, 0

    def run(self) -> None:
        """Build the document.

        Raises:
            InputError: The text is not JSON.
        """
        due = "value"
        for kind, value, at in self._tokens():
            if due == "nothing":
                raise self._wrong("the end of the file was expected", at)
            due = self._structure(value, due, at) if kind == "mark" else self._take(value, due, at)
        if due != "nothing":
            raise self._wrong("the file ends too early", len(self.text.rstrip()))

    def _take(self, value: Any, due: str, at: int) -> str:
        """Add a scalar; return what is due next."""
        if due in ("key", "key or end") and isinstance(value, str):
            self.builder.key(value, self._mark(at))
            return "colon"
        if due not in ("value", "value or end"):
            raise self._wrong(f"expected {_DUE[due]}", at)
        self.builder.value(value, self._mark(at))
        return self._after()

    def _structure(self, mark: str, due: str, at: int) -> str:
        """Act on a punctuation mark; return what is due next."""
        if mark in "[{" and due in ("value", "value or end"):
            self.builder.open({} if mark == "{" else [], self._mark(at))
            return "key or end" if mark == "{" else "value or end"
        inside = type(self.builder.inside)
        if (mark == "]" and inside is list and due in ("value or end", "comma or end")) or (
            mark == "}" and inside is dict and due in ("key or end", "comma or end")
        ):
            self.builder.close()
            return self._after()
        if mark == "," and due == "comma or end":
            return "key" if inside is dict else "value"
        if mark == ":" and due == "colon":
            return "value"
        raise self._wrong(f"expected {_DUE[due]}", at)

    def _after(self) -> str:
        return "comma or end" if self.builder.depth else "nothing"

    def _tokens(self) -> Iterator[tuple[str, Any, int]]:
        at = 0
        while found := _TOKEN.match(self.text, at):
            kind = str(found.lastgroup)
            start, at = found.span(kind)
            value: Any = found[kind]
            if kind == "string":
                value, at = self._string(at)
            elif kind == "number":
                value = self._number(value, start)
            elif kind == "word":
                if value not in _WORDS:
                    raise self._wrong(f"{value[:30]!r} is no value", start)
                value = _WORDS[value]
            yield kind, value, start
        rest = self.text[at:].lstrip(" \t\n\r")
        if rest:
            raise self._wrong(f"unexpected character {rest[0]!r}", len(self.text) - len(rest))

    def _string(self, at: int) -> tuple[str, int]:
        try:
            # `at` is behind the opening quote.
            value, end = _DECODER.raw_decode(self.text, at - 1)
        except json.JSONDecodeError as error:
            raise self._wrong(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        return str(value), end

    def _number(self, written: str, at: int) -> int | float:
        try:
            return float(written) if set(written) & set(".eE") else int(written)
        except ValueError:
            raise self._wrong("a number with too many digits", at) from None

    def _mark(self, at: int) -> Mark:
        """Line and column of an offset that is not before the last one asked for."""
        lines = self.text.count("\n", self._seen, at)
        if lines:
            self._line += lines
            self._line_start = self.text.rfind("\n", self._seen, at) + 1
        self._seen = at
        return self._line, at - self._line_start + 1

    def _wrong(self, message: str, at: int) -> InputError:
        mark = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        return self.blame.raised(
            "E202",
            f"not valid JSON: {message}",
            place=self.document.place(mark),
            looked=excerpt(self.text, mark),
            fix=[f"mend line {mark[0]}"],
        )


_DUE = {
    "value": "a value",
    "value or end": "a value or ']'",
    "key": "a key in double quotes",
    "key or end": "a key in double quotes or '}'",
    "colon": "':'",
    "comma or end": "',' or the closing bracket",
}
