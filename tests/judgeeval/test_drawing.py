"""Drawing a sample of labelled leaves."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.drawing import Stratum, drawn

SIZES = st.lists(st.integers(0, 30), min_size=1, max_size=12)


def strata_of(sizes: list[int]) -> list[Stratum]:
    """Strata of so many leaves, three to a case."""
    return [
        Stratum(f"case {i // 3}", "r", tuple(f"{i}-{n}" for n in range(size)))
        for i, size in enumerate(sizes)
    ]


@given(SIZES, st.integers(1, 400), st.integers(0, 9))
def test_every_stratum_gets_its_share_rounded_up_or_down(
    sizes: list[int], size: int, seed: int
) -> None:
    strata = strata_of(sizes)
    found = drawn(strata, size, seed=seed)
    total = sum(sizes)
    assert sum(map(len, found.values())) == min(size, total)
    for stratum in strata:
        due = min(size, total) * len(stratum.keys) / total if total else 0
        got = len(found[stratum.case] & set(stratum.keys))
        assert math.floor(due) <= got <= math.ceil(due)


@pytest.mark.parametrize("size", [9, 20])
def test_every_leaf_has_the_same_chance(size: int) -> None:
    strata, seeds = strata_of([17, 17, 1, 5, 2, 1, 7]), 3000
    counts = Counter(
        key
        for seed in range(seeds)
        for keys in drawn(strata, size, seed=seed).values()
        for key in keys
    )
    chance = size / 50
    spread = math.sqrt(chance * (1 - chance) / seeds)
    assert len(counts) == 50
    # Of 50 leaves one may be 4 standard errors off once in 300 such tests; seeds are fixed.
    assert max(abs(count / seeds - chance) for count in counts.values()) < 4 * spread


@given(st.integers(1, 60), st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_is_no_matter_to_a_seed(size: int, seed: int, dice: Random) -> None:
    strata = strata_of([20, 3, 0, 20])
    mixed = list(strata)
    dice.shuffle(mixed)
    found = drawn(strata, size, seed=seed)
    assert drawn(mixed, size, seed=seed) == found


def test_another_seed_draws_others_and_a_sample_has_a_leaf() -> None:
    strata = strata_of([50])
    assert drawn(strata, 10, seed=0) != drawn(strata, 10, seed=1)
    with pytest.raises(UsageError):
        drawn(strata, 0, seed=0)
