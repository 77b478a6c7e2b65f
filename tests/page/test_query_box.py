"""The query box and the chips that write into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rubric_engine.page import assemble
from rubric_engine.report import flags
from tests.page.conftest import Open
from tests.page.made import made_page
from tests.page.shown import CHUNKS, LEAVES, NODES, PAGE, RUN


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


NAMED = (
    "Data Analysis",
    "Data Collection",
    'Data "raw"',
    "data  collection",
    "Code Execution",
    "Executive",
)


def test_a_chip_of_a_category_leaves_what_it_counts(open_page: Open) -> None:
    names = [NAMED[at % len(NAMED)] if at in LEAVES else None for at in range(len(NODES["key"]))]
    run = RUN | {"nodes": NODES | {"category": names}}
    window = open_page(assemble(made_page(run), [CHUNKS], title="Categories"))
    terms = {
        'cat:"data analysis"': ["Data Analysis"],
        'cat:"data collection"': ["Data Collection", "data  collection"],
        'cat:"data ""raw"""': ['Data "raw"'],
        'cat:"code execution"': ["Code Execution"],
        'cat:"executive"': ["Executive"],
    }
    chips = window.page.locator(".chips").last.locator("button")
    assert chips.count() == len(terms)
    found = {}
    for chip in chips.all():
        count = int(chip.locator(".dim").inner_text())
        chip.click()
        found[window.page.input_value("#query")] = count
        assert window.status() == f"{count} of {len(LEAVES)} leaves shown"
        assert chip.get_attribute("aria-pressed") == "true"
        chip.click()
        assert window.page.input_value("#query") == ""
    assert found == {term: sum(map(names.count, each)) for term, each in terms.items()}
    window.page.fill("#query", "cat:data file:part")
    window.page.fill("#query", 'cat:"data')
    assert window.status() == f"0 of {len(LEAVES)} leaves shown"


def test_the_page_knows_the_flags_that_the_engine_sets(open_page: Open) -> None:
    names = {
        "failed": flags.FAILED, "cut": flags.CONTEXT_CUT, "unverified": flags.NOT_VERIFIED,
        "split": flags.SPLIT, "unsure": flags.UNSURE, "differs": flags.DIFFERS,
        "canary": flags.CANARY, "injection": flags.INJECTION,
    }  # fmt: skip
    assert open_page(PAGE).page.evaluate("RE.query.FLAGS") == names
    engine = {
        value for name, value in vars(flags).items() if name.isupper() and isinstance(value, int)
    }
    assert engine == set(names.values())
