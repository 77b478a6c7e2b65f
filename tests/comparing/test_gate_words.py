"""What a gate says agrees with what it does, in as many digits as that takes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.cli.run_comparison_text import gate_line
from rubric_engine.comparing import Regression

LIMITS = st.floats(0, 100, allow_nan=False).map(lambda value: round(value, 6))


@pytest.mark.parametrize(
    ("limit", "fell", "said"),
    [
        (2.0, 2.0049, "2 fails: the low end of the score fell by 2.005 points"),
        (2.0, 2.00004, "2 fails: the low end of the score fell by 2.00004 points"),
        (2.0, 2.0, "2 holds: the low end of the score fell by 2.00 points"),
        (2.0, 36.111, "2 fails: the low end of the score fell by 36.11 points"),
        (1.996, 1.9959, "1.996 holds: the low end of the score fell by 1.996 points"),
        (0.0, 0.001, "0 fails: the low end of the score fell by 0.001 points"),
        (0.0, 0.0, "0 holds: the low end of the score did not move"),
        (0.0, -1e-12, "0 holds: the low end of the score did not move"),
        (0.0, -0.001, "0 holds: the low end of the score rose by <0.01 points"),
        (2.0000001, 1.0, "2.0000001 holds: the low end of the score fell by 1.00 points"),
    ],
)
def test_a_gate_says_what_it_does(limit: float, fell: float, said: str) -> None:
    assert gate_line(Regression(limit, fell, None)) == f"gate    --fail-on-regression {said}"


@given(LIMITS, LIMITS)
def test_the_figures_bear_out_the_verdict(limit: float, fell: float) -> None:
    gate = Regression(limit, fell, None)
    found = re.search(r"fell by ([\d.e-]+) points", gate_line(gate))
    assert found is None or (float(found[1]) > limit) == gate.failed


def test_what_is_undecided_is_masked_and_escaped() -> None:
    gate = Regression(1.0, None, "B was stopped (key\x1b[31m)")
    line = gate_line(gate, lambda text: text.replace("key", "***"))
    assert line.endswith("is not decided: B was stopped (***\\u{1b}[31m)")
