"""What bears claims out: numbers that the run wrote, and those that stand in the code."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rubric_engine.globs import matches
from rubric_engine.monitor.claims.claim import FileClaim, NumberClaim
from rubric_engine.monitor.numbers import sizes

_MOST = 1_000_000
_PLACES_OF_SHARES = 2
_TINY = 1e-9


@dataclass(frozen=True)
class Grounds:
    """Numbers and files that are there.

    Attributes:
        values: Sizes of the numbers, ascending.
        paths: Paths of the files, and what each ends with from some folder on.
        pending: Globs of files that a run would make, where there was none.
    """

    values: tuple[float, ...]
    paths: frozenset[str]
    pending: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, texts: Iterable[str], paths: Iterable[str], pending: tuple[str, ...] = ()
    ) -> Grounds:
        """Gather the numbers of texts, until there are a million different ones."""
        values: set[float] = set()
        for text in texts:
            if len(values) < _MOST:
                values.update(islice(sizes(text), _MOST))
        tails = (tail for path in paths for tail in _tails(path))
        return cls(tuple(sorted(values)), frozenset(tails), pending)

    def bears(self, claim: NumberClaim) -> bool:
        """Whether some number is the claimed one once it is rounded as that is.

        A percentage may also stand as a share, and a share as a percentage: 0.1234 bears out
        "12.3 %", and 12.34 bears out "a share of 0.123". Nothing else is derived: of a file with
        fifty numbers the ratios, differences and means of two bear out three of four numbers that
        somebody makes up.
        """
        half = 0.5 * 10.0**-claim.places
        if self._near(claim.value, half):
            return True
        if claim.percent:
            return self._near(claim.value / 100, half / 100)
        is_share = claim.value <= 1 and claim.places >= _PLACES_OF_SHARES
        return is_share and self._near(100 * claim.value, 100 * half)

    def has(self, claim: FileClaim) -> bool:
        """Whether a file of that name is there, in whatever folder."""
        name = claim.path.replace("\\", "/").removeprefix("./")
        while name.startswith("../"):
            name = name[3:]
        return name in self.paths or any(matches(glob, name) for glob in self.pending)

    def _near(self, value: float, half: float) -> bool:
        slack = half + _TINY * max(1.0, abs(value))
        at = bisect_left(self.values, value - slack)
        return at < len(self.values) and self.values[at] <= value + slack


def _tails(path: str) -> Iterator[str]:
    parts = path.split("/")
    yield from ("/".join(parts[at:]) for at in range(max(0, len(parts) - 12), len(parts)))
