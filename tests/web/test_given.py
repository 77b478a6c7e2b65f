"""How far runs were when somebody was given them: nothing is missed, and nothing piles up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.web.viewing.given import RECENT, Given
from rubric_engine.web.viewing.live import Live


def _state(at: float) -> Live:
    return Live({"status": "running", "cost": {"calls": at}}, {"verdict": []})


STEPS = st.lists(
    st.tuples(st.sampled_from("ab"), st.floats(min_value=0, max_value=3 * RECENT)), max_size=40
)


@given(STEPS)
def test_who_asks_soon_enough_is_told_from_what_was_given_out_or_before(
    steps: list[tuple[str, float]],
) -> None:
    now, last = [0.0], dict[str, float]()
    held = Given(lambda: now[0])
    for run, passed in steps:
        now[0] += passed
        for name, at in last.items():
            if now[0] - at < RECENT:
                since = held.get(name)
                assert since is not None
                assert since.head["cost"]["calls"] <= at
        held.put(run, _state(now[0]))
        last[run] = now[0]
        assert len(held) <= 2 * len(last)


def test_a_page_that_is_open_for_a_day_holds_no_more_than_one_that_was_just_opened() -> None:
    now = [0.0]
    held = Given(lambda: now[0])
    for second in range(0, 24 * 3600, 2):
        now[0] = float(second)
        held.put("a", _state(now[0]))
        assert len(held) <= 2
    now[0] += 3 * RECENT
    assert held.get("a") is None
    assert len(held) == 0
