"""Whether a value is a secret, where what stands beside it says that it may be one."""

from __future__ import annotations

import re

from rubric_engine.report.drawn import is_drawn, is_varied

_EXAMPLE = re.compile(r"\$|%[({]|\{\{|os\.|process\.env|getenv|env[.\[(]|<|\*{3}|x{5}|\.{3}", re.I)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PLACE = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]+[/\\][\w.@/\\ -]*")
_HEX = re.compile(r"(?:[a-z0-9]{1,10}[:-])?[0-9a-fA-F-]+")
_AWS = re.compile(r"[A-Za-z0-9+/]{40}")
_ONE_WORD = re.compile(r"[A-Za-z0-9_+/=.~:@!#$%^&*-]+")  # not, say, a pattern
_SAID_SO = re.compile(r"pass(?:w(?:or)?d)?|pwd|secret", re.I)
_NUMBERS = re.compile(r"[0-9a-fA-F]{32,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DIGITS = re.compile(r"[0-9]{6,20}")
_WORDS_AND_DIGITS = re.compile(r"(?:[a-z]+[0-9]+){2,}[a-z]*|(?:[0-9]+[a-z]+){2,}[0-9]*")
WORDS = re.compile(r"[A-Z]?[a-z]+(?:[-_ .][A-Za-z]?[a-z]+)*|[A-Z]+(?:[-_ ][A-Z]+)*")

_MOST_SIGNED = 200
"""Characters of the longest secret with signs in it."""


def is_password(value: str) -> bool:
    """Digits, and capitals among small letters, signs or more words: no word with a number."""
    plain = value.strip()
    if _stands_for_one(plain) or _PLACE.match(plain) or " " in plain:
        return False
    if _is_of_words(plain):
        return True
    if not is_varied(plain):
        return False
    digits, letters = any(map(str.isdigit, plain)), any(map(str.isalpha, plain))
    mixed = any(map(str.islower, plain)) and any(map(str.isupper, plain))
    signs = any(char in "!@#$%^&*+/=~?" for char in plain)
    if digits and letters and len(plain) >= 8 and (mixed or signs):
        return True
    return is_drawn(plain)


def _is_of_words(plain: str) -> bool:
    """Whether words and numbers follow each other, as nobody names a thing."""
    long = len(plain) >= 10 and len({*plain}) >= 5
    return long and _WORDS_AND_DIGITS.fullmatch(plain) is not None


def is_number(value: str) -> bool:
    """Of a password: digits that are no round number."""
    return _DIGITS.fullmatch(value) is not None and is_varied(value)


def is_token(value: str) -> bool:
    """One drawn word, or a number as long as a key."""
    if _stands_for_one(value) or not _ONE_WORD.fullmatch(value):
        return False
    known = _NUMBERS.fullmatch(value) or _AWS.fullmatch(value)
    return is_drawn(value) or (known is not None and is_varied(value))


def is_key(value: str) -> bool:
    """Of a name that only ends in `key`: hashes and paths have such names as well."""
    return is_token(value) and is_drawn(value, least=16) and _HEX.fullmatch(value) is None


def is_signed(value: str) -> bool:
    """A drawn value in which any sign may stand."""
    fits = 32 <= len(value) <= _MOST_SIGNED and value.isascii() and not re.search(r"\s", value)
    return fits and not _EXAMPLE.match(value) and is_drawn(value, least=24)


def is_sent(value: str) -> bool:
    """Of a header that says who asks: whatever is no word and stands for nothing else."""
    return _EXAMPLE.match(value) is None and WORDS.fullmatch(value) is None


def is_sent_alone(value: str) -> bool:
    """Likewise, where no scheme stands before it."""
    return is_token(value) and is_drawn(value, least=16)


def is_in_address(value: str) -> bool:
    """A password in an address, but for the word itself."""
    return _EXAMPLE.match(value) is None and _SAID_SO.fullmatch(value) is None


def _stands_for_one(value: str) -> bool:
    return bool(_EXAMPLE.match(value) or _DOTTED.fullmatch(value))
