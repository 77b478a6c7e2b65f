"""Names that are told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.judgeeval.naming import told_apart

NAMES = st.lists(st.sampled_from(["a", "b", "a #2", "a #3", "a #2 #2"]))


@given(NAMES, NAMES)
def test_no_two_names_are_alike_nor_one_that_is_taken(names: list[str], taken: list[str]) -> None:
    told = told_apart(names, taken)
    assert len({*told}) == len(names)
    assert not {*told} & {*taken}
    assert all(own.startswith(name) for own, name in zip(told, names, strict=True))


def test_very_many_alike_names_are_numbered() -> None:
    told = told_apart(["a"] * 100_000)  # where each was counted from 1, this would not end
    assert told[:3] == ("a", "a #2", "a #3")
    assert told[-1] == "a #100000"
