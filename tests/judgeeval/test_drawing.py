"""Drawing a sample of labelled leaves."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.drawing import Stratum, drawn, shares

SIZES = st.lists(st.integers(0, 30), min_size=1, max_size=12)


@given(SIZES, st.integers(1, 400))
def test_shares_are_proportional_whole_and_never_more_than_there_are(
    sizes: list[int], places: int
) -> None:
    given_ = shares(sizes, places)
    total = sum(sizes)
    assert sum(given_) == min(places, total)
    assert all(0 <= share <= size for share, size in zip(given_, sizes, strict=True))
    filled = [share for share, size in zip(given_, sizes, strict=True) if size]
    if places >= len(filled):
        assert all(filled)
    if places >= total:
        return
    exact = [size * places / total for size in sizes]
    # Only a stratum that would get none, and those that give it theirs, are off by more than one.
    off = [abs(share - fair) for share, fair in zip(given_, exact, strict=True) if fair >= 1]
    assert sum(1 for gap in off if gap >= 1) <= sum(1 for fair in exact if 0 < fair < 1)


@given(st.integers(1, 60), st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_is_no_matter_to_a_seed(size: int, seed: int, dice: Random) -> None:
    strata = [
        Stratum("a", "r", tuple(f"k{n}" for n in range(20))),
        Stratum("a", "r", tuple(f"m{n}" for n in range(3))),
        Stratum("b", "r", tuple(f"k{n}" for n in range(20))),
    ]
    mixed = list(strata)
    dice.shuffle(mixed)
    found = drawn(strata, size, seed=seed)
    assert drawn(mixed, size, seed=seed) == found
    assert sum(map(len, found.values())) == min(size, 43)


def test_another_seed_draws_others_and_a_sample_has_a_leaf() -> None:
    strata = [Stratum("a", "r", tuple(f"k{n}" for n in range(50)))]
    assert drawn(strata, 10, seed=0) != drawn(strata, 10, seed=1)
    with pytest.raises(UsageError):
        drawn(strata, 0, seed=0)
