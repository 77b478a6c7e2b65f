"""The sign-flip permutation test of a mean difference over submissions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError

FEWEST_FLIPPED = 6
"""Differences below which no p-value can pass under 5 %: with five the least is 2 / 32."""

MOST_EXACT = 16
"""Differences up to which all sign patterns are counted; beyond, patterns are drawn."""

DRAWN_PATTERNS = 20_000

_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Whether a mean difference could come from signs alone.

    Attributes:
        p: Two-sided p-value; None where there is none.
        n: Differences.
        exact: Whether all sign patterns were counted.
        why: Why there is no p-value.
    """

    p: float | None
    n: int
    exact: bool
    why: str | None = None


def sign_flip(differences: Sequence[float], *, seed: int = 0) -> SignFlip:
    """Test that differences of submissions are as likely above as below 0.

    The p-value is the share of sign patterns whose mean lies as far from 0 as the one found
    (Fisher 1935); where patterns are drawn, the one found counts among them.

    Args:
        differences: One judge's figure less the other's, one for each submission.
        seed: The same seed draws the same patterns.

    Raises:
        UsageError: A difference is no finite number.
    """
    values = np.array(differences, dtype=np.float64)
    n = len(values)
    if not np.isfinite(values).all():
        raise UsageError("differences are finite numbers")
    if n < FEWEST_FLIPPED:
        least = f"the least p-value of {n} differences is {min(1.0, 2.0 / 2**n):.4f}"
        return SignFlip(None, n, exact=True, why=f"{least}; it takes {FEWEST_FLIPPED}")
    found = abs(math.fsum(values)) - _TINY * max(1.0, math.fsum(abs(values)))
    if n <= MOST_EXACT:
        patterns = (np.arange(2**n)[:, None] >> np.arange(n) & 1) * 2 - 1
        return SignFlip(float(np.mean(abs(patterns @ values) >= found)), n, exact=True)
    signs = np.random.default_rng(seed).integers(0, 2, (DRAWN_PATTERNS, n)) * 2 - 1
    beyond = int(np.count_nonzero(abs(signs @ values) >= found))
    return SignFlip((beyond + 1) / (DRAWN_PATTERNS + 1), n, exact=False)
