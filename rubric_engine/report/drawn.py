"""Whether a text looks drawn at random, as keys are, and not written, as names and words are.

What tells is how often the kind of character changes: in words and names letters stay together and
digits stand at an end (`Qwen2.5-7B-Instruct`), in keys all kinds follow each other.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

_MOST = 512
"""Characters that are looked at; a longer text is known by its beginning."""

_BITS = 3.0
"""Least entropy a character, in bits, by the text's own characters (Shannon)."""

_CHANGES = 0.25
"""Least share of the characters that are of another kind than the one before. Of letters and digits
drawn alike it is about 0.6, of hexadecimal digits 0.47, of names below 0.2."""


def is_drawn(text: str, least: int = 8, alone: int = 16) -> bool:
    """Whether a text looks drawn at random.

    Args:
        text: The text.
        least: Fewest letters, digits and signs that it has.
        alone: As many letters can look drawn without a digit among them.

    >>> is_drawn("kQ9z-31xX_pLm8"), is_drawn("7f3a2c9be014d558")
    (True, True)
    >>> is_drawn("meta-llama/Llama-3.1-8B-Instruct"), is_drawn("AutoTokenizerFromPretrained")
    (False, False)
    """
    text = text[:_MOST]
    kinds = [_kind(char) for char in text]
    size = sum(kind != "-" for kind in kinds)
    known = set(kinds)
    if size < least or not known & {"a", "A"} or ("0" not in known and size < alone):
        return False
    return _changes(kinds) >= _CHANGES * size and is_varied(text)


def is_varied(text: str) -> bool:
    """Whether a text has hardly a repeat; an empty one has nothing else."""
    counts = Counter(text[:_MOST]).values()
    size = sum(counts)
    if not size:
        return False
    bits = -math.fsum(count / size * math.log2(count / size) for count in counts)
    return bits >= min(_BITS, math.log2(size) - 0.6)


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    if char.isalpha():
        return "A" if char.isupper() else "a"
    return "-" if char in "-_./:= " else "!"


def _changes(kinds: list[str]) -> int:
    """How often the kind changes, but for the capital that begins a word."""
    found, before = 0, "-"
    for one, two in pairwise(kinds):
        capital = one == "A" and two == "a" and before != "A"
        found += one != two and "-" not in (one, two) and not capital
        before = one
    return found
