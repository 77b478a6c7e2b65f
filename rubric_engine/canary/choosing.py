"""Which leaves of other tasks are certainly false of a submission: by the names in them.

A leaf qualifies where it names something, nothing that it names occurs in the submission, the paper
or the rubric, at most half of the words do that the rubric has not as well ("function", "defined":
those are how criteria are written), and it says nothing in the negative, for what is
not there may well not be there here either.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rubric_engine.criterion import Criterion

_NAME = re.compile(
    r"`[^`\n]{2,60}`"
    r"|[A-Za-z0-9_./-]*[A-Za-z0-9]_[A-Za-z0-9][A-Za-z0-9_./-]*"  # heavy_ball, results/a_b.csv
    r"|(?:[\w.-]+/)*[\w-]+\.(?:py|csv|json|ya?ml|txt|ipynb|sh|md|png|pdf|npz|npy|pt)\b"
    r"|\b[A-Za-z]+[A-Z][A-Za-z0-9]*\b|\b[A-Za-z]*[A-Z]{2,}[A-Za-z0-9-]*\b",
    re.ASCII,
)
_WORD = re.compile(r"[a-z]{4,}")
_HAN = re.compile("[\u3400-\u9fff]+")
_NEGATIVE = re.compile(
    r"\b(?:no|not|non|none|never|nothing|without|neither|nor|only|except|fails?|absent|lacks?)\b"
    r"|n't\b|[不没无未非]|以外",
    re.IGNORECASE,
)
_LEAST_NAME = 5
_MOST_KNOWN = 0.5


@dataclass(frozen=True)
class Foreign:
    """A leaf of another task.

    Attributes:
        task: The task's name.
        leaf: The leaf.
    """

    task: str
    leaf: Criterion


@dataclass
class Known:
    """The words of a case: of its submission, its paper and its rubric.

    Attributes:
        rubric: What its criteria say.
        han: Whether it is written in Chinese characters.
    """

    rubric: str
    han: bool = field(init=False)
    _words: set[str] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._texts.append(self.rubric.lower())
        self._ordinary = set(_words(self.rubric.lower()))
        self.han = _HAN.search(self.rubric) is not None

    def add(self, text: str) -> None:
        """Take in a text of the submission or the paper."""
        low = text.lower()
        self._words.update(_words(low))
        self._texts.append(low)

    def share(self, words: Collection[str]) -> float:
        """Which share of words stands in the texts, those left out that the rubric has."""
        telling = [word for word in words if word not in self._ordinary]
        return sum(word in self._words for word in telling) / max(1, len(telling))

    def has_name(self, name: str) -> bool:
        """Whether a name stands anywhere, however it is spelt: `heavy_ball`, `HeavyBall`."""
        low = name.lower()
        spellings = {low, re.sub(r"[_ -]", "", low), re.sub(r"[_-]", " ", low), low.split("/")[-1]}
        return any(spelling in text for spelling in spellings for text in self._texts)


def false_here(
    pool: Iterable[Foreign],
    known: Known,
    *,
    categories: Collection[str],
    seed: int,
    rubric_sha256: str,
    count: int,
) -> list[Foreign]:
    """Draw canaries.

    Args:
        pool: The leaves of other tasks.
        known: The words of the case.
        categories: The categories that a canary may have.
        seed: Of the judge card.
        rubric_sha256: Of the rubric that is graded.
        count: How many to draw.

    Returns:
        As many as there are, at most `count`; the same whatever the order of `pool`.
    """

    def place(one: Foreign) -> str:
        parts = [seed, rubric_sha256, one.task, one.leaf.key, one.leaf.requirements]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    fitting = [one for one in pool if one.leaf.task_category in categories]
    drawn: dict[str, Foreign] = {}
    for one in sorted(fitting, key=place):
        if len(drawn) == count:
            break
        if one.leaf.requirements not in drawn and _is_false(one.leaf, known):
            drawn[one.leaf.requirements] = one
    return list(drawn.values())


def _is_false(leaf: Criterion, known: Known) -> bool:
    text = leaf.requirements
    if _NEGATIVE.search(text) or (_HAN.search(text) and not known.han):
        return False
    names = _names(text)
    if max(map(len, names), default=0) < _LEAST_NAME or any(map(known.has_name, names)):
        return False
    return known.share(set(_words(text.lower()))) <= _MOST_KNOWN


def _names(text: str) -> Sequence[str]:
    return [match[0].strip("`./-") for match in _NAME.finditer(text)]


def _words(low: str) -> Iterator[str]:
    """Words of four letters and more; of Chinese, which has no spaces, every two characters."""
    yield from _WORD.findall(low)
    for run in _HAN.findall(low):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
