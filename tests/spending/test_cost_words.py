"""What is said of a cost: never less than it is."""

from __future__ import annotations

import pytest

from rubric_engine.spending.cost_words import CostWords, cost_words

PLAIN = {
    "attempts": 3, "calls": 1, "replayed": 2, "input_tokens": 4000, "cached_tokens": 1000,
    "output_tokens": 50,
}  # fmt: skip
COUNTS = ("4,000 in (25.0% cached), 50 out", "1 call + 2 replayed")
BLIND = {"uncounted_attempts": 2, "uncounted_tokens": 900}


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        ({}, CostWords("nothing")),
        ({"attempts": 0, "replayed": 4}, CostWords("nothing", ("0 calls + 4 replayed",))),
        (PLAIN, CostWords("unpriced", COUNTS)),
        (PLAIN | {"usd": 0.001}, CostWords("$0.001", COUNTS)),
        (PLAIN | {"usd": 1.2301}, CostWords("$1.24", COUNTS)),
        (
            PLAIN | {"usd": 1.2301, "unpriced_attempts": 1},
            CostWords("$1.24 and 1 request unpriced", COUNTS),
        ),
        (
            PLAIN | BLIND | {"usd": 1.23, "uncounted_usd": 0.5},
            CostWords(
                "$1.23",
                COUNTS,
                "of which up to $0.50 (900 tokens) for 2 requests whose usage is unknown",
            ),
        ),
        (
            PLAIN | BLIND | {"attempts": 2},
            CostWords(
                "unpriced",
                COUNTS,
                "all of it up to 900 tokens for 2 requests whose usage is unknown",
            ),
        ),
        (
            PLAIN | {"usd": 1.0, "excess_tokens": 1200, "excess_usd": 0.25},
            CostWords(
                "$1.00",
                COUNTS,
                excess="the server billed 1,200 tokens and $0.25 above what was reserved",
            ),
        ),
    ],
)
def test_a_cost_is_said_with_all_that_it_lacks(cost: dict[str, float], said: CostWords) -> None:
    assert cost_words(cost) == said
