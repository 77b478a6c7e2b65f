from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.bounded_log import BoundedLog


@given(st.lists(st.text(max_size=30).map(str.encode)), st.integers(8, 60))
def test_no_byte_is_lost_uncounted_and_no_character_cut(pieces: list[bytes], limit: int) -> None:
    bounded = BoundedLog(limit)
    for piece in pieces:
        bounded.feed(piece)
    log, whole = bounded.log(), b"".join(pieces)
    head, tail = log.head.encode(), log.tail.encode()
    assert len(head) + log.omitted_bytes + len(tail) == len(whole)
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + len(tail) <= limit
    assert bool(log.omitted_bytes) == (len(whole) > limit)


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_the_pieces_do_not_matter(step: int) -> None:
    whole = "".join(f"line {number}\n" for number in range(2000)).encode()
    bounded = BoundedLog(1000)
    for start in range(0, len(whole), step):
        bounded.feed(whole[start : start + step])
    log = bounded.log()
    assert log.head.encode() == whole[:500]
    assert log.tail.encode() == whole[-500:]
    assert f"[... {len(whole) - 1000} bytes left out ...]" in log.text
