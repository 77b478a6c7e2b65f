"""What a document claims: its numbers and the files that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rubric_engine.monitor.claims.paths import SUFFIX, paths_in
from rubric_engine.monitor.claims.settings import is_setting
from rubric_engine.monitor.numbers import NUMBER, numbers

_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_UNIT = re.compile(
    r"[ ~\u00a0]?(?:%|\u2030|x\b|\u00d7|\\times|times\b|fold\b|(?:m|\u00b5|u|n)?s\b|sec\b"
    r"|seconds?\b|min(?:utes?)?\b|h\b|hours?\b|dB\b|[kKMGT]i?B\b|GHz\b|MHz\b|FLOPs?\b|points?\b|pp\b|bits?\b"
    r"|\u500d|\u79d2|\u5206\u949f|\u4e2a\u767e\u5206\u70b9)"
)
_PERCENT = re.compile(r"[ ~\u00a0]?(?:%|\\%|percent)")
_NO_CLAIM = re.compile(
    r"(?:(?:v|version|section|sec|eq|eqn|equation|table|figure|fig|chapter|appendix|step|algorithm"
    r"|theorem|lemma|python|cuda|seed|seeds|line|lines|page|pages"
    r"|\u7b2c|\u8868|\u56fe|\u5f0f)[.~ ]{0,2}"
    r"|[#\u00a7@])\(?$",
    re.IGNORECASE,
)
_BEFORE = 60
"""Characters before a number that tell what it is."""

_MARK = re.compile(r"\s*(?:#{1,6}\s+(?:\d{1,3}(?:\.\d{1,3})*)?|\d{1,3}[.)]\s|[-*+]\s)")
_SKIPPED = re.compile(r"`[^`\n]*`|<[/!a-zA-Z][^<>\n]*>|https?://\S+|\]\([^)\n]*\)|\d{4}-\d\d-\d\d")
_NAMED = re.compile(
    r"`([^`\n]{3,200})`|!?\[[^\]\n]{0,300}\]\(([^)\s]{3,300})[^)\n]{0,100}\)"
    r"|<(?:img|a)\b[^<>\n]{0,300}?\b(?:src|href)=[\"']([^\"'\s]{3,300})[\"'][^<>\n]{0,300}>"
)
_FILE = re.compile(rf"^[\w./\\ -]*\w\.{SUFFIX}$", re.IGNORECASE)


@dataclass(frozen=True)
class NumberClaim:
    """A number that a document claims.

    Attributes:
        value: Its size.
        places: Decimal places that it is given to.
        percent: Whether it is a percentage.
        line: From 1.
        text: Its line.
        start: Offset in it.
        shown: The number as it is written.
    """

    value: float
    places: int
    percent: bool
    line: int
    text: str
    start: int
    shown: str


@dataclass(frozen=True)
class FileClaim:
    """A file that a document names.

    Attributes:
        path: As the document has it.
        line: From 1.
        text: Its line.
        start: Offset in it.
    """

    path: str
    line: int
    text: str
    start: int

    @property
    def shown(self) -> str:
        """What the document says."""
        return self.path


def number_claims(document: str) -> Iterator[NumberClaim]:
    """Numbers with decimals, a unit or a percent sign, and those of tables with three digits.

    What is set and not found is none: versions, flags, settings; see `is_setting`.
    """
    for line, text in _prose(document):
        plain = _SKIPPED.sub(_blank, text)
        mark = _MARK.match(plain)
        table = plain.count("|") >= 2
        for number in numbers(plain, NUMBER):
            before, behind = (
                plain[max(0, number.start - _BEFORE) : number.start],
                plain[number.end :][:24],
            )
            if (mark and number.start < mark.end()) or _NO_CLAIM.search(before):
                continue
            unit = _UNIT.match(behind)
            named = text[max(0, number.start - _BEFORE) : number.start]  # also between backquotes
            if is_setting(named, number, has_unit=unit is not None):
                continue
            if number.places > 0 or unit or (table and number.digits >= 3):
                yield NumberClaim(
                    value=number.value,
                    places=number.places,
                    percent=_PERCENT.match(behind) is not None,
                    line=line,
                    text=text,
                    start=number.start,
                    shown=plain[number.start : number.end] + (unit[0] if unit else ""),
                )


def file_claims(document: str) -> Iterator[FileClaim]:
    """Files that are named between backquotes, linked or shown, or by a path with a folder."""
    for line, text in _prose(document):
        for match in _NAMED.finditer(text):
            path = (match[1] or match[2] or match[3]).split("#")[0].strip()
            if (
                _FILE.match(path)
                and " " not in path
                and not path.startswith(("/", "~", "-", "http"))
            ):
                yield FileClaim(path, line, text, match.start())
        plain = _SKIPPED.sub(_blank, _NAMED.sub(_blank, text))
        yield from (FileClaim(path, line, text, plain.find(path)) for path in paths_in(plain))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _prose(document: str) -> Iterator[tuple[int, str]]:
    """The lines that are no code."""
    inside = False
    for number, line in enumerate(document.split("\n"), 1):
        if _FENCE.match(line):
            inside = not inside
        elif not inside and not line.startswith(("    ", "\t")):
            yield number, line[:2000]
