"""What differs by rounding alone differs nowhere: no interval, and no p-value either."""

from __future__ import annotations

import pytest

from rubric_engine.cli.comparison_text import comparison_parts
from rubric_engine.judgeeval import Pairs, compare, compare_all, estimates, t_interval, two_stage
from rubric_engine.judgeeval.paired_tests import t_test, z_test
from tests.judgeeval.judged import LABELS, evaluation, wrong_on
from tests.judgeeval.rows import pair


@pytest.mark.parametrize(
    "values", [[0.1 + 0.2, 0.3, 0.3], [0.3] * 3, [1e-17, 0.0], [1 / 3, 1 - 2 / 3]]
)
def test_values_alike_but_for_rounding_have_neither_interval_nor_p_value(
    values: list[float],
) -> None:
    assert t_interval(values).low is t_test(values) is None


def test_a_spread_beyond_rounding_has_both() -> None:
    values = [0.3, 0.3 + 1e-9, 0.3]
    assert t_interval(values).low is not None
    assert t_test(values) is not None


def test_what_all_groups_say_alike_has_no_p_value() -> None:
    assert z_test(0.0, 0.0) == 1
    assert z_test(0.3, 0.0) is z_test(0.3, 5e-17) is None
    groups = [pair(i, 1, i % 3 != 0, parent=f"p{i // 3}") for i in range(12)]
    right = [pair(i, 1, 1, parent=f"p{i // 3}") for i in range(12)]
    found = compare(Pairs.of(right), Pairs.of(groups))
    assert found.clustered_p is None
    assert any(
        "p - (all groups differ alike" in str(part) for part in comparison_parts([found], {})
    )


def test_holm_counts_no_test_that_there_is_not() -> None:
    """Three judges of which two differ from the third by the same in every submission."""
    alike = {case: (y, [1 - LABELS[case][0], *y[1:]]) for case, (y, _) in wrong_on([]).items()}
    judges = {
        "a": evaluation("a", wrong_on([1, 4])).pairs,
        "b": evaluation("b", alike).pairs,
        "c": evaluation("c", alike).pairs,
    }
    found = {(one.first, one.second): one for one in compare_all(judges)}
    assert found["b", "c"].adjusted_anew_p is None
    plain = compare(judges["a"], judges["b"]).adjusted_anew_p
    assert plain is not None
    assert found["a", "b"].adjusted_anew_p == pytest.approx(min(1.0, 2 * plain))


def test_resamples_alike_but_for_rounding_have_no_interval() -> None:
    """Each group has a third of its worth wrong, in parts that binary fractions cannot hold."""
    rows = Pairs.of(
        pair(3 * g + i, 1, i > 0, submission=s, parent=f"p{g}", worth=w)
        for s in "ab"
        for g, w in enumerate((0.1, 0.07, 0.163333))
        for i in range(3)
    )
    assert estimates(rows)["accuracy"].by_worth.here.low is None
    assert two_stage(rows)["accuracy"].pooled.low is None
