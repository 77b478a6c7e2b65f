"""What bears claims out: numbers that the run wrote, and those that stand in the code."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from rubric_engine.monitor.claims.claim import FileClaim, NumberClaim
from rubric_engine.monitor.numbers import numbers

_MOST = 1_000_000
_TINY = 1e-9


@dataclass(frozen=True)
class Grounds:
    """Numbers and files that are there.

    Attributes:
        values: Sizes of the numbers, ascending.
        paths: Paths of the files.
    """

    values: tuple[float, ...]
    paths: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str], paths: Iterable[str]) -> Grounds:
        """Gather the numbers of texts, up to a million different ones."""
        values: set[float] = set()
        for text in texts:
            for number in numbers(text):
                values.add(number.value)
                if len(values) >= _MOST:
                    break
        return cls(tuple(sorted(values)), frozenset(paths))

    def bears(self, claim: NumberClaim) -> bool:
        """Whether some number is the claimed one once it is rounded as that is.

        A percentage may also stand as a share: 0.1234 bears out "12.3 %".
        """
        half = 0.5 * 10.0**-claim.places
        if self._near(claim.value, half):
            return True
        return claim.percent and self._near(claim.value / 100, half / 100)

    def has(self, claim: FileClaim, folder: str) -> bool:
        """Whether a file of that name is there, seen from the document's folder or anywhere.

        Args:
            claim: What is named.
            folder: The document's folder, or nothing.
        """
        name = claim.path.replace("\\", "/").removeprefix("./")
        while name.startswith("../"):
            name = name[3:]
        near = f"{folder}/{name}" if folder else name
        return bool({name, near} & self.paths) or any(p.endswith("/" + name) for p in self.paths)

    def _near(self, value: float, half: float) -> bool:
        slack = half + _TINY * max(1.0, abs(value))
        at = bisect_left(self.values, value - slack)
        return at < len(self.values) and self.values[at] <= value + slack
