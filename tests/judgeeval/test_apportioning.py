"""Places split by sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.apportioning import apportioned


@given(sizes=st.dictionaries(st.text("abc"), st.integers(0, 50), min_size=1), total=st.integers(0))
def test_parts_are_within_one_of_their_share(sizes: dict[str, int], total: int) -> None:
    whole = sum(sizes.values())
    total %= whole + 1
    parts = apportioned(total, sizes)
    assert sum(parts.values()) == total
    for name, size in sizes.items():
        assert 0 <= parts[name] <= size
        assert abs(parts[name] - total * size / max(whole, 1)) < 1


@pytest.mark.parametrize("total", [-1, 4])
def test_places_that_are_not_there_are_refused(total: int) -> None:
    with pytest.raises(UsageError, match="cannot be split"):
        apportioned(total, {"a": 1, "b": 2})


def test_without_any_size_there_is_nothing_to_split() -> None:
    assert apportioned(0, {"a": 0}) == {"a": 0}
