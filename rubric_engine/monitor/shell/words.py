"""Words of a shell: what a variable, a quotation or a substitution stands for, as far as is told.

Nothing is run. What cannot be known stays as it is written. Each function is given a position and
returns the one behind what it read; what is never closed ends with the text, so that no text is
read more often than it is nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

from rubric_engine.monitor.shell.expanding import changed, with_braces

MOST_VALUES = 16
"""Values of one word that are followed: those of a loop's variable, of a list."""

MOST_LENGTH = 4096
"""Characters that a variable holds, and a value of a word that has several."""

MOST_ALLOWED = 2_000_000
"""Characters that an allowance holds, at most."""

_PER_CHARACTER = 16
_OF_SCRIPT = 4
"""How much more is taken for a character that is read as a script: commands cost more to read."""

Values = tuple[str, ...]
Substitute = Callable[[str, int], Values]
"""What a command in `$(...)` prints, given its text and where it begins."""

_PLAIN = re.compile(r"[^\s;&|<>()'\"`$\\]+")
_IN_DOUBLE = re.compile(r"[^\"$`\\]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?!$-]")
_BRACED = re.compile(r"(!?)([A-Za-z_][A-Za-z0-9_]*|[@*#?0-9])(?:\[[^\]{}]*\])?([^{}]*)\}")
_DEFAULT = re.compile(r":?[-=+?]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_CODE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)


@dataclass
class Allowance:
    """Characters that texts may still stand for, or be read anew.

    A script may double a variable in every line, and send one file through a hundred pipes. So
    what is made of all that is read is bounded by its length.

    Attributes:
        left: The characters.
    """

    left: int = 40_000

    def take(self, values: Values) -> bool:
        """Whether there is room for the values; takes it."""
        length = sum(map(len, values))
        if length > self.left:
            return False
        self.left -= length
        return True

    def take_script(self, script: str) -> bool:
        """Whether there is room to read a script within another one; takes it."""
        return self.take((script,) * _OF_SCRIPT)

    def grow(self, text: str) -> None:
        """Allow for a text that is read."""
        self.left = min(self.left + _PER_CHARACTER * len(text), MOST_ALLOWED)


class WordReader:
    """Reads words of one text.

    Args:
        text: The script.
        variables: What is known of variables so far.
        substitute: What a command within a word prints.
        allowance: How much variables may stand for.
    """

    def __init__(
        self,
        text: str,
        variables: Mapping[str, Values],
        substitute: Substitute,
        allowance: Allowance,
    ) -> None:
        self._text = text
        self._variables = variables
        self._substitute = substitute
        self._allowance = allowance

    def word(self, at: int) -> tuple[Values, int]:
        """The values of the word that begins at `at`."""
        pieces: list[Values] = []
        while at < len(self._text):
            piece, end = self._piece(at)
            if end == at:
                break
            pieces.append(piece)
            at = end
        values = _joined(pieces)
        if len(values) > 1 and not self._allowance.take(values):
            values = values[:1]
        return values, at

    def _piece(self, at: int) -> tuple[Values, int]:
        plain = _PLAIN.match(self._text, at)
        if plain:
            return with_braces(plain[0]) if "{" in plain[0] else (plain[0],), plain.end()
        sign = self._text[at]
        if sign == "'":
            end = _behind(self._text, "'", at + 1)
            return (self._text[at + 1 : end - 1],), end
        if sign == '"':
            return self._double(at + 1)
        if sign == "\\":
            kept = self._text[at + 1 : at + 2]
            return ("" if kept == "\n" else kept,), min(at + 2, len(self._text))
        if sign in "$`":
            return self._dollar(at)
        return ("",), at

    def _double(self, at: int) -> tuple[Values, int]:
        pieces: list[Values] = []
        piece: Values
        while at < len(self._text) and self._text[at] != '"':
            plain = _IN_DOUBLE.match(self._text, at)
            if plain:
                piece, at = (plain[0],), plain.end()
            elif self._text[at] == "\\":
                kept = self._text[at + 1 : at + 2]
                piece, at = (_double_escape(kept),), at + 2
            else:
                piece, at = self._dollar(at)
            pieces.append(piece)
        return _joined(pieces), min(at + 1, len(self._text))

    def _dollar(self, at: int) -> tuple[Values, int]:
        text = self._text
        if text[at] == "`":
            end = _behind(text, "`", at + 1)
            return self._substitute(text[at + 1 : end - 1], at + 1), end
        if text.startswith("$((", at):
            end = closing(text, at + 2)
            return (text[at:end],), end
        if text.startswith("$(", at):
            end = closing(text, at + 2)
            return self._substitute(text[at + 2 : end - 1], at + 2), end
        if text.startswith("$'", at):
            end = _behind(text, "'", at + 2, escapes=True)
            return (_CODE.sub(_escaped, text[at + 2 : end - 1]),), end
        return self._variable(at)

    def _variable(self, at: int) -> tuple[Values, int]:
        if self._text.startswith("${", at):
            match = _BRACED.match(self._text, at + 2)
            values = self._braced(match) if match else None
        else:
            match = _NAME.match(self._text, at + 1)
            values = self._variables.get(match[0]) if match else None
        if match is None:
            return ("$",), at + 1
        if values is None or not self._allowance.take(values):
            values = (self._text[at : match.end()],)
        return values, match.end()

    def _braced(self, match: re.Match[str]) -> Values | None:
        """What `${X}` with something behind the name stands for; None where it is not known."""
        values, how = self._variables.get(match[2]), match[3]
        if match[1]:
            values = self._variables.get(values[0]) if values else None
        other = _DEFAULT.match(how)
        if other:
            instead = (how[other.end() :],)
            return instead if (values is None) != (other[0][-1] == "+") else values
        return values and tuple(changed(value, how) for value in values)


def closing(text: str, at: int) -> int:
    """The position behind the bracket that closes what is open at `at`; the text's end without.

    >>> closing("a $(b) c) d", 0)
    9
    """
    depth = 1
    for match in _BRACKETS.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text) + 1


def closing_brace(text: str, at: int, most: int) -> int | None:
    """The position behind the brace that closes what is open at `at`, or None.

    Args:
        text: The script.
        at: The position.
        most: Characters that are looked through.
    """
    depth = 1
    for match in _OF_FUNCTION.finditer(text, at, at + most):
        depth += {"{": 1, "${": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return None


_BRACKETS = re.compile(r"[()]|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", re.DOTALL)


_OF_FUNCTION = re.compile(r"\$?[{}]|'[^']*'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"|\\.", re.DOTALL)


def _behind(text: str, sign: str, at: int, *, escapes: bool = False) -> int:
    end = text.find(sign, at)
    while escapes and end > 0 and text[end - 1] == "\\":
        end = text.find(sign, end + 1)
    return len(text) + 1 if end < 0 else end + 1


def _joined(pieces: list[Values]) -> Values:
    if all(len(piece) == 1 for piece in pieces):
        return ("".join(piece[0] for piece in pieces),)
    values: list[str] = [""]
    for piece in pieces:
        if piece and max(map(len, values)) < MOST_LENGTH:
            both = islice(((a, b) for a in values for b in piece), MOST_VALUES)
            values = [(a + b)[:MOST_LENGTH] for a, b in both]
    return tuple(values)


def _double_escape(sign: str) -> str:
    if sign == "\n":
        return ""
    return sign if sign in '$`"\\' else "\\" + sign


def _escaped(match: re.Match[str]) -> str:
    hexadecimal = match[1] or match[2]
    if hexadecimal or match[3]:
        return chr(int(hexadecimal, 16) if hexadecimal else int(match[3], 8))
    return _ESCAPES.get(match[4], match[4])
