"""Which files speak of what a criterion asks for: BM25 over names and content, no model."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_K1 = 1.2
_B = 0.75
_PATH_TIMES = 4
"""A word of a file's name counts as often as so many in its text."""


def words(text: str) -> list[str]:
    """Words in lower case: identifiers fall apart at `_` and at capitals, plurals lose their s.

    Scripts without spaces give pairs of characters.

    >>> words("HeavyBall_step 梯度下降")
    ['heavy', 'ball', 'step', '梯度', '度下', '下降']
    """
    found = []
    for word in _WORDS.findall(text):
        if word.isascii():
            word = word.lower()
            found.append(word[:-1] if len(word) > 3 and word[-1] == "s" else word)
        elif len(word) == 1 or not _spaceless(word[0]):
            found.append(word.lower())
        else:
            found += [word[at : at + 2] for at in range(len(word) - 1)]
    return found


class Ranking:
    """Scores files against texts.

    Args:
        texts: Beginning of each file's text, by path.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        counts = {path: _counts(path, text) for path, text in texts.items()}
        lengths = {path: sum(count.values()) for path, count in counts.items()}
        mean = sum(lengths.values()) / (len(lengths) or 1) or 1.0
        for path, count in counts.items():
            norm = _K1 * (1 - _B + _B * lengths[path] / mean)
            for word, times in count.items():
                self._postings[word].append((path, times * (_K1 + 1) / (times + norm)))
        self._files = len(counts)

    def scores(self, query: Iterable[str]) -> dict[str, float]:
        """Score by path of the files that share a word with the query; higher is closer."""
        # Sorted and summed exactly: the order of words must not change a score.
        parts: dict[str, list[float]] = defaultdict(list)
        for word, asked in sorted(Counter(query).items()):
            found = self._postings.get(word, ())
            rarity = math.log(1 + (self._files - len(found) + 0.5) / (len(found) + 0.5))
            for path, weight in found:
                parts[path].append(rarity * weight * math.sqrt(asked))
        return {path: math.fsum(terms) for path, terms in parts.items()}


def _counts(path: str, text: str) -> Counter[str]:
    count = Counter(words(text))
    for word in words(path):
        count[word] += _PATH_TIMES
    return count


def _spaceless(character: str) -> bool:
    """Chinese, Japanese, Thai and their like."""
    return "\u0e00" <= character <= "\u0eff" or "\u2e80" <= character <= "\ud7ff"
