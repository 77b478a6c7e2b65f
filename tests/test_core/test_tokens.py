"""The estimate of tokens, by script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("The model is trained for ten epochs on the full data set. " * 100, 1200, 1700),
        ("def f(x):\n    return x + 1\n" * 100, 800, 1300),
        ("实验结果表明该方法有效" * 100, 1000, 1300),
        ("Результаты эксперимента показывают " * 100, 900, 2000),
        ("12345.678, " * 100, 400, 800),
        ("😀" * 100, 100, 300),
    ],
)
def test_each_script_has_its_own_cost(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


@given(st.text(), st.text())
def test_longer_texts_have_no_fewer_tokens(first: str, second: str) -> None:
    both = estimate_tokens(first + second)
    assert max(estimate_tokens(first), estimate_tokens(second)) <= both
    assert both <= estimate_tokens(first) + estimate_tokens(second)


@given(st.text(st.characters(), min_size=1))
def test_a_text_has_at_least_a_token_and_at_most_its_bytes(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))
