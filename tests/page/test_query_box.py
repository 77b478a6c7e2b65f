"""The query box and the chips that write into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.conftest import Open
from tests.page.shown import LEAVES, NODES, PAGE


def some(holds: Callable[[int], bool]) -> int:
    return sum(holds(at) for at in LEAVES)


QUERIES: dict[str, Callable[[int], bool]] = {
    "verdict:not": lambda at: NODES["verdict"][at] == "not met",
    "nograde": lambda at: NODES["verdict"][at] == "open",
    "cat:exec score:0": lambda at: (
        NODES["category"][at] == "Code Execution" and NODES["verdict"][at] == "not met"
    ),
    "score:<0.3 nograde": lambda at: False,
    "worth:>0.5 unverified": lambda at: NODES["worth"][at] > 0.5 and NODES["flags"][at] & 4 > 0,
    "vote:split unsure": lambda at: NODES["flags"][at] & 24 == 24,
    "file:part_3.py": lambda at: any("part_3.py" in path for path in NODES["files"][at]),
    "cut": lambda at: NODES["flags"][at] & 2 > 0,
    "canary": lambda at: False,
    '"Table 3" verdict:met': lambda at: (
        "Table 3" in NODES["requirements"][at] and NODES["verdict"][at] == "met"
    ),
    "训练循环 verdict:met": lambda at: (
        "训练循环" in NODES["requirements"][at] and NODES["verdict"][at] == "met"
    ),
}


def test_a_query_leaves_what_it_says(open_page: Open) -> None:
    window = open_page(PAGE)
    for query, holds in QUERIES.items():
        window.page.fill("#query", query)
        assert window.status() == f"{some(holds)} of {len(LEAVES)} leaves shown", query
        assert window.elements() < 800


UNREADABLE = {
    "score:high": "score: takes a number",
    "colour:red": "there is no field colour:",
    "vote:": "vote: needs a value",
    "human:me": "human: takes differs, met",
}


@pytest.mark.slow
def test_a_query_that_cannot_be_read_is_said_and_hides_nothing(open_page: Open) -> None:
    window = open_page(PAGE)
    for query, said in UNREADABLE.items():
        window.page.fill("#query", query)
        assert said in window.status()
        assert window.page.locator(".rows [role=row]").count() > 10


def test_a_number_of_any_length_is_read_in_time_linear_in_it(open_page: Open) -> None:
    page = open_page(PAGE).page
    # Would take minutes if it were quadratic.
    page.evaluate("text => RE.query.parse(text)", f"score:{'1' * 1_000_000}x")
    for text in ("0.25", ".25", ">=.25", "1"):
        assert page.evaluate("text => RE.query.parse(text).error", f"score:{text}") is None
    for text in (".", "1.", "1.2.3", "-1"):
        assert page.evaluate("text => RE.query.parse(text).error", f"score:{text}")


@pytest.mark.slow
def test_chips_write_into_the_query_and_take_out_again(open_page: Open) -> None:
    page = open_page(PAGE, "q=file:part").page
    page.click(".chips button:has-text('not met')")
    assert page.input_value("#query") == "file:part verdict:not"
    assert page.get_attribute(".chips button:has-text('not met')", "aria-pressed") == "true"
    page.click(".chips button:has-text('not met')")
    assert page.input_value("#query") == "file:part"
