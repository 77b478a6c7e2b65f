"""What the quick look passes over, the slower pattern would not have found either."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.injection import encoded, phrases
from rubric_engine.injection.rough import may_hold

PAIRS = [
    (encoded._ROUGH_BASE64, encoded._BASE64),
    (encoded._ROUGH_HEX, encoded._HEX),
    (encoded._ROUGH_CODES, encoded._CODES),
    (phrases._ROUGH_SPACED, phrases._SPACED),
]
PIECES = ["49", "0x", "67", "101", "9", "a", "Z", "+", "/", ",", ";", "'", " ", "\n", ".", "-"]
ODD = ["\x0b", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\ufffd", "\u8bc4"]
ROWS = st.builds(
    lambda piece, gap, times: (piece + gap) * times,
    st.sampled_from(PIECES),
    st.sampled_from([*PIECES[7:], *ODD, ", ", " ,\n  ", ""]),
    st.integers(1, 40),
)
TEXTS = st.lists(st.one_of(ROWS, st.sampled_from(PIECES + ODD)), max_size=12).map("".join)


@pytest.mark.parametrize(("rough", "slow"), PAIRS)
@given(text=TEXTS)
def test_a_quick_look_misses_nothing(rough: str, slow: re.Pattern[str], text: str) -> None:
    if slow.search(text) is not None:
        assert may_hold(text, rough)


@pytest.mark.parametrize(
    ("rough", "text"),
    [
        (encoded._ROUGH_BASE64, "a word " * 3),
        (encoded._ROUGH_HEX, "def add(a, b) " * 3),
        (encoded._ROUGH_CODES, "1, 22, 33.5 " * 20),
        (phrases._ROUGH_SPACED, "a b cd " * 3),
    ],
)
def test_most_texts_are_passed_over(rough: str, text: str) -> None:
    assert not may_hold(text, rough)
