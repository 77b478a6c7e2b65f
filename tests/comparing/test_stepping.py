"""What each child does under an aggregate that is no mean, held against the definition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.comparing.sharing import share_out
from rubric_engine.comparing.stepping import Counted, scores_on_the_way
from rubric_engine.scoring import aggregator

AGGREGATES = ["all", "any", "min", "product", "at_least(1)", "at_least(2)", "at_least(900)"]

CHILD = st.none() | st.tuples(st.just(1.0), st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0]))
Pairs = Sequence[tuple[Counted, Counted]]


def slowly(aggregate: str, moving: Pairs, still: Sequence[Counted]) -> list[float | None]:
    """All children put together anew after each change."""
    found: list[float | None] = []
    for done in range(len(moving) + 1):
        now = [b for _, b in moving[:done]] + [a for a, _ in moving[done:]] + [*still]
        scores = [one[1] for one in now if one is not None]
        found.append(aggregator(aggregate)([1.0] * len(scores), scores) if scores else None)
    return found


@given(
    st.sampled_from(AGGREGATES),
    st.lists(st.tuples(CHILD, CHILD), max_size=8),
    st.lists(CHILD, max_size=4),
)
def test_the_way_is_that_of_putting_all_together_anew(
    aggregate: str, moving: Pairs, still: Sequence[Counted]
) -> None:
    # The scores are sums of few powers of two, so that no order of multiplying rounds.
    assert scores_on_the_way(aggregate, moving, still) == slowly(aggregate, moving, still)


@given(st.sampled_from(AGGREGATES), st.lists(st.tuples(CHILD, CHILD), max_size=8))
def test_swapped_sides_go_the_same_way_back(aggregate: str, moving: Pairs) -> None:
    back = [(b, a) for a, b in reversed(moving)]
    assert scores_on_the_way(aggregate, back, ()) == scores_on_the_way(aggregate, moving, ())[::-1]


@pytest.mark.parametrize("aggregate", ["all", "min", "product", "at_least(900)"])
def test_a_group_of_very_many_children_is_shared_out(aggregate: str) -> None:
    size = 10_000  # where each change put all together anew, this would not end
    pairs: Pairs = [((1.0, float(at % 3 == 0)), (1.0, 1.0)) for at in range(size)]
    found = share_out(pairs, (aggregate, aggregate))
    combine = aggregator(aggregate)
    before, after = (combine([1.0] * size, [pair[side][1] for pair in pairs]) for side in (0, 1))  # type: ignore[index]
    assert sum(one.scored for one in found.children) == pytest.approx(after - before)
