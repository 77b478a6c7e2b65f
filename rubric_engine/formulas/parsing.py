"""The text of a metric, such as ``Design and not (Conclusion >= 0.5)``, as a formula.

    formula = both {"or" both}
    both    = part {"and" part}
    part    = "not" part | "(" formula ")" | name [">=" share]
    name    = words, or any text in quotes

Words that follow each other are one name, so that ``Code Development`` needs no quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rubric_engine.formulas.formula import And, Formula, Not, Or

OPERATORS = ("and", "or", "not")

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<sign>>=|[()])"""
    r"""|(?P<word>[^\s()<>=!&|,;"']+)|(?P<odd>\S)|(?P<end>$))"""
)
_SHARE = re.compile(r"[0-9]*\.?[0-9]+")
_DEEPEST = 50
_KNOWN = "known: and, or, not, ( ), and >= with a share such as 0.5"


class FormulaError(ValueError):
    """A text that is no formula.

    Attributes:
        message: What is wrong.
        at: Where in the text, in characters from 0.
        hint: What would mend it.
        code: Its code as a problem of a rubric.
    """

    def __init__(self, message: str, at: int, hint: str | None = None, code: str = "E220") -> None:
        super().__init__(message)
        self.message, self.at, self.hint, self.code = message, at, hint, code


class Name(NamedTuple):
    """A name as it stands in a formula."""

    text: str
    quoted: bool
    at_least: float | None
    at: int


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse_formula(text: str, resolve: Callable[[Name], Formula]) -> Formula:
    """Read a formula.

    Args:
        text: The text.
        resolve: What a name stands for; it may refuse it by a `FormulaError`.

    Raises:
        FormulaError: The text is no formula.
    """
    return _Reader(_tokens(text), resolve).whole()


def is_name(text: str) -> bool:
    """Whether a formula can name this without quotes."""
    try:
        words = [token.text for token in _tokens(text) if token.kind != "end"]
        plain = all(token.kind in ("word", "end") for token in _tokens(text))
    except FormulaError:
        return False
    operators = any(word.lower() in OPERATORS for word in words)
    return plain and not operators and bool(words) and text == " ".join(words)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while not found or found[-1].kind != "end":
        match = _TOKEN.match(text, at)
        assert match is not None  # what is nothing else is odd
        kind = str(match.lastgroup)
        if kind == "odd":
            raise _odd(match["odd"], match.start("odd"))
        found.append(_Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return found


def _odd(sign: str, at: int) -> FormulaError:
    if sign in "\"'":
        return FormulaError("a quotation mark without its pair", at)
    return FormulaError(f"{sign!r} means nothing here", at, _KNOWN)


class _Reader:
    """Goes through the tokens of one formula."""

    def __init__(self, tokens: list[_Token], resolve: Callable[[Name], Formula]) -> None:
        self._tokens = tokens
        self._resolve = resolve
        self._next = 0
        self._open = 0

    def whole(self) -> Formula:
        """All of it."""
        formula = self._either()
        rest = self._tokens[self._next]
        if rest.text == ")":
            raise FormulaError("')' without its '('", rest.at)
        if rest.kind != "end":
            raise FormulaError(f"'and' or 'or' is due before {rest.text!r}", rest.at)
        return formula

    def _either(self) -> Formula:
        parts = [self._both()]
        while self._took("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _both(self) -> Formula:
        parts = [self._part()]
        while self._took("and"):
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _part(self) -> Formula:
        turned = False
        while self._took("not"):
            turned = not turned
        part = self._group() if self._tokens[self._next].text == "(" else self._named()
        return Not(part) if turned else part

    def _group(self) -> Formula:
        start = self._tokens[self._next].at
        self._next += 1
        self._open += 1
        if self._open > _DEEPEST:
            raise FormulaError("nested too deeply", start, "give a part of it a name of its own")
        inside = self._either()
        if not self._took(")"):
            after = self._tokens[self._next]
            due = "')' is due" if after.kind == "end" else f"')' is due before {after.text!r}"
            raise FormulaError(f"{due} for the '(' at character {start + 1}", after.at)
        self._open -= 1
        return inside

    def _named(self) -> Formula:
        first = self._tokens[self._next]
        text = first.text[1:-1] if first.kind == "quoted" else self._words()
        if first.kind == "quoted":
            self._next += 1
        return self._resolve(Name(text, first.kind == "quoted", self._at_least(), first.at))

    def _words(self) -> str:
        """Words up to what is none; at least one."""
        words: list[str] = []
        while (token := self._tokens[self._next]).kind == "word" and token.text not in OPERATORS:
            if token.text.lower() in OPERATORS:
                hint = f"write {token.text.lower()}; a name that holds the word stands in quotes"
                raise FormulaError(f"{token.text!r} is no operator", token.at, hint)
            words.append(token.text)
            self._next += 1
        if not words:
            found = f", found {token.text!r}" if token.text else ""
            raise FormulaError(f"a category or a metric is due here{found}", token.at)
        return " ".join(words)

    def _at_least(self) -> float | None:
        if not self._took(">="):
            return None
        token = self._tokens[self._next]
        share = float(token.text) if _SHARE.fullmatch(token.text) else 0.0
        if not 0 < share <= 1:
            found = f", found {token.text!r}" if token.text else ""
            message = f"a share above 0 and up to 1 is due after '>='{found}"
            raise FormulaError(message, token.at, "80 percent are 0.8")
        self._next += 1
        return None if share == 1 else share

    def _took(self, text: str) -> bool:
        token = self._tokens[self._next]
        found = token.kind in ("word", "sign") and token.text == text
        self._next += found
        return found
