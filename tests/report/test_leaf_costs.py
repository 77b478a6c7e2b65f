"""What it costs a judge to grade each leaf."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine import Grade, Report, grade
from rubric_engine.report.leaf_costs import leaf_prices, prices_of
from rubric_engine.testing import ScriptedServer
from tests.judging.desk import leaf, task
from tests.strategies import flat

CALLS = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("asked", "prices", "expected"),
    [
        ({"x": ("a",), "y": ("b",)}, {"a": 1.0, "b": 2.0}, {"x": 1.0, "y": 2.0}),
        ({"x": ("a",), "y": ("a",)}, {"a": 1.0}, {"x": 0.5, "y": 0.5}),
        ({"x": ("a",), "y": ()}, {"a": 1.0, "ranks": 0.4}, {"x": 1.2, "y": 0.2}),
        ({"x": ("a",), "y": ("b",)}, {"a": None, "b": 2.0}, {"x": None, "y": 2.0}),
        ({"x": ("gone",)}, {}, {"x": None}),
        ({"x": (), "y": ()}, {"ranks": None}, {"x": None, "y": None}),
    ],
)
def test_calls_are_spread_over_the_leaves_they_served(
    asked: dict[str, tuple[str, ...]],
    prices: dict[str, float | None],
    expected: dict[str, float | None],
) -> None:
    assert leaf_prices(asked, prices) == {
        key: None if value is None else pytest.approx(value) for key, value in expected.items()
    }


@given(
    st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from(CALLS)).map(tuple), min_size=1),
    st.dictionaries(st.sampled_from((*CALLS, "rank")), st.floats(0, 1e3)),
)
def test_nothing_is_lost_or_counted_twice(
    asked: dict[str, tuple[str, ...]], prices: dict[str, float]
) -> None:
    whole = {call: prices.get(call, 0.0) for call in (*CALLS, "rank")}
    found = leaf_prices(asked, whole)
    total = math.fsum(value or 0.0 for value in found.values())
    assert total == pytest.approx(math.fsum(whole.values()), abs=1e-9)


@pytest.mark.parametrize("known", [None, "attempts", "nothing"])
def test_what_has_no_price_is_unknown_while_the_run_goes_on_and_after(
    make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path, known: str | None
) -> None:
    whole, folder = task({"a": [leaf("a0"), leaf("a1")]}), make_tree({"a.py": "x = 1\n"})
    with ScriptedServer() as server:
        report = grade(
            whole, folder, judge="simple", model={"base_url": server.base_url},
            run_dir=tmp_path / "runs" / "x",
        )  # fmt: skip
    assert report.cost["unpriced_attempts"] == report.cost["attempts"] > 0
    # As a run that goes on knows it: without what was replayed, or not at all.
    if known is not None:
        kept = {name: one for name, one in report.cost.items() if name != "replayed"}
        report = replace(report, cost=kept if known == "attempts" else {})
    assert prices_of(report, tmp_path / "runs") == {"a0": None, "a1": None}


def test_where_no_model_was_asked_a_leaf_costs_nothing() -> None:
    tree = flat(leaf("a"), leaf("b"))
    graded = {"a": Grade.graded(1.0), "b": Grade.ungradeable("not_run")}
    assert prices_of(Report(tree, graded), None) == {"a": 0.0, "b": 0.0}
