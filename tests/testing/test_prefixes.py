"""Shared prefixes are exact, however the texts came."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.testing.completion import cached_tokens
from rubric_engine.testing.prefixes import BLOCK_CHARS, PrefixIndex, chain

# Few pieces, about a block long: texts part before, at and after the end of a block.
PIECE = st.sampled_from(["a" * BLOCK_CHARS, "a" * (BLOCK_CHARS - 1), "b", "a", "", "é" * 300])
TEXTS = st.lists(st.lists(PIECE, max_size=6).map("".join), max_size=12)


@given(TEXTS)
def test_the_longest_prefix_shared_with_any_earlier_text(texts: list[str]) -> None:
    index = PrefixIndex()
    for place, text in enumerate(texts):
        pairs = [os.path.commonprefix([text, other]) for other in texts[:place]]  # noqa: RUF071
        assert index.shared(text, chain(text)) == max(map(len, pairs), default=0)
        index.add(text, chain(text))


def test_a_cache_serves_whole_blocks_from_its_least() -> None:
    assert cached_tokens(4 * 1024 - 1) == 0
    assert cached_tokens(4 * 1024) == 1024
    assert cached_tokens(4 * 1024 + 511) == 1024
    assert cached_tokens(4 * 1152) == 1152
