"""What metrics are for a set of grades: true, false, or undefined with the reason."""

from __future__ import annotations

import pytest

from rubric_engine.errors import RubricError
from rubric_engine.grading import Grade
from rubric_engine.metrics import MetricMean, MetricValue, metric_changes, metric_means
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.strategies import group, leaf

MET, MISSED, HALF = Grade.graded(1.0), Grade.graded(0.0), Grade.graded(0.5)
OPEN, OUT = Grade.ungradeable("refused"), Grade.not_applicable()


def rubric(metrics: dict[str, str], **weights: float) -> Rubric:
    """Two leaves of Design, two of Code Development under a group, and one of Conclusion."""
    leaves = [("root", "d1", "Design"), ("root", "d2", "Design"), ("code", "i1", None),
              ("code", "i2", None), ("root", "c", "Conclusion")]  # fmt: skip
    pairs = [(None, group("root")), ("root", group("code", weight=weights.get("code", 1.0)))]
    for above, key, category in leaves:
        weight = weights.get(key, 1.0)
        pairs.append((above, leaf(key, category=category or "Code Development", weight=weight)))
    return Rubric.build(pairs, metrics=metrics)


def value(text: str, /, **grades: Grade) -> MetricValue:
    """A metric over grades; every other leaf is met."""
    tree = rubric({"M": text})
    return Report(tree, {key: grades.get(key, MET) for key in tree.leaves()}).metrics["M"]


@pytest.mark.parametrize(
    ("text", "grades", "expected", "why"),
    [
        ("Design", {}, True, "Design: 2 of 2 leaves met"),
        ("Design", {"d1": HALF}, False, "Design: 1 of 2 leaves not met in full"),
        ("Design", {"d1": OPEN}, None, "Design: 1 of 2 leaves without a grade"),
        ("Design", {"d1": OPEN, "d2": MISSED}, False, "Design: 1 of 2 leaves not met in full"),
        ("Design", {"d1": OUT}, True, "Design: 1 of 1 leaves met"),
        ("Design", {"d1": OUT, "d2": OUT}, None, "Design: no leaf counts"),
        ("Design >= 0.75", {"d1": HALF}, True, "Design: 75.0%, at least 0.75"),
        ("Design >= 0.8", {"d1": HALF}, False, "Design: 75.0%, below 0.8"),
        ("Design >= 0.8", {"d1": OPEN}, None, "Design: 50.0-100.0%, 0.8 is due"),
        ("Design >= 0.5", {"d1": OPEN}, True, "Design: 50.0-100.0%, at least 0.5"),
        ("Design >= 1", {"d1": HALF}, False, "Design: 1 of 2 leaves not met in full"),
        ("Code Development and Conclusion", {"c": OPEN, "i1": MISSED}, False,
         "Code Development: 1 of 2 leaves not met in full"),
        ("Code Development or Conclusion", {"c": OPEN, "i1": MISSED}, None,
         "Conclusion: 1 of 1 leaves without a grade"),
        ("Result Analysis", {}, None, "Result Analysis: no leaf counts"),
        ("Result Analysis and Design", {"d1": MISSED}, False,
         "Design: 1 of 2 leaves not met in full"),
        ("Design or not Design", {"d1": OPEN}, True, "whatever leaves without a grade would get"),
        ("Design >= 0.5 and not Design >= 0.9", {"d1": OPEN}, None,
         "Design: 50.0-100.0%, 0.9 is due"),
    ],
)  # fmt: skip
def test_value_and_why(
    text: str, grades: dict[str, Grade], expected: bool | None, why: str
) -> None:
    assert value(text, **grades) == MetricValue(expected, why)


def test_leaves_without_a_grade_at_all_are_open() -> None:
    assert Report(rubric({"M": "Design"}), {}).metrics["M"].value is None


def test_leaves_of_no_worth_do_not_count() -> None:
    tree = rubric({"D": "Design", "code": "Code Development"}, d1=0.0, code=0.0)
    grades = {"d1": MISSED, "d2": MET, "i1": MISSED}
    found = Report(tree, grades).metrics
    assert (found["D"].value, found["code"].value) == (True, None)


def test_rounding_takes_no_share_away() -> None:
    """Worth is a product along the path, so that four fifths may come out a little less."""
    weights = {"d1": 0.1 + 0.2, "d2": 1.2}
    tree = rubric({"M": "Design >= 0.8"}, **weights)
    assert Report(tree, {"d1": MISSED, "d2": MET}).metrics["M"].value is True


def test_where_the_submission_is_disqualified_no_category_passes() -> None:
    tree = rubric({"D": "Design", "no": "not D", "R": "Result Analysis"})
    found = Report(tree, dict.fromkeys(tree.leaves(), MET)).disqualify("copied").metrics
    assert {name: one.value for name, one in found.items()} == {"D": False, "no": True, "R": False}
    assert {one.why for one in found.values()} == {"disqualified: copied"}


def test_policies_of_the_score_change_no_metric() -> None:
    tree = rubric({"D": "Design", "half": "Design >= 0.5"})
    grades = {"d1": MET, "i1": MISSED}
    zero, renormalise = Report(tree, grades), Report(tree, grades, missing="renormalise")
    assert zero.metrics == renormalise.metrics


def test_a_view_keeps_the_metrics_and_says_what_it_lacks() -> None:
    tree = rubric({"D": "Design", "C": "Conclusion", "both": "D and C"})
    view = tree.subset(category="Design")
    report = Report(tree, dict.fromkeys(tree.leaves(), MET)).over(view)
    assert view.metrics == tree.metrics
    assert {name: one.value for name, one in report.metrics.items()} == {
        "D": True, "C": None, "both": None,
    }  # fmt: skip


def test_values_stand_in_the_order_of_the_header_and_in_the_report() -> None:
    tree = rubric({"z": "a", "a": "Design"})
    report = Report(tree, {"d1": MET, "d2": MET})
    why = "Design: 2 of 2 leaves met"
    assert list(report.metrics) == ["z", "a"]
    assert report.to_dict()["metrics"] == {
        "z": {"value": True, "why": why},
        "a": {"value": True, "why": why},
    }


def test_metrics_are_part_of_what_a_rubric_is() -> None:
    one, other, none = (rubric(metrics) for metrics in ({"D": "Design"}, {"D": "Conclusion"}, {}))
    assert one != other
    assert len({one.sha256, other.sha256, none.sha256}) == 3
    assert one.metrics["D"] == "Design"


def test_a_long_reason_is_cut_and_says_so() -> None:
    names = [f"K{at}" for at in range(7)]
    tree = Rubric.build(
        [(None, group("root")), *(("root", leaf(name, category=name)) for name in names)],
        metrics={"All": " and ".join(names)},
    )
    assert (
        Report(tree, {})
        .metrics["All"]
        .why.endswith("K3: 1 of 1 leaves without a grade; and 3 more")
    )


def test_a_metric_through_many_others_is_decided_once_each() -> None:
    metrics = {"m0": "Design"} | {f"m{at}": f"m{at - 1} and m{at - 1}" for at in range(1, 200)}
    assert Report(rubric(metrics), {"d1": MISSED}).metrics["m199"].value is False


def test_too_many_categories_both_ways_are_refused() -> None:
    names = [f"K{at}" for at in range(13)]
    leaves = [("root", leaf(name, category=name)) for name in names]
    parts = " and ".join(f"({name} or not {name})" for name in names)
    with pytest.raises(RubricError, match="13 categories both with and without") as found:
        Rubric.build([(None, group("root")), *leaves], metrics={"M": parts})
    assert found.value.code == "E222"


def test_means_have_their_own_denominators() -> None:
    met, missed, open_ = (MetricValue(one, "") for one in (True, False, None))
    found = metric_means([{"a": met, "b": open_}, {"a": missed, "b": open_}, {"a": open_}])
    assert found == {"a": MetricMean(0.5, 1, 2, 1), "b": MetricMean(None, 0, 0, 2)}
    assert metric_means([]) == {}


def test_changes_are_what_differs_and_what_one_lacks() -> None:
    met, missed = MetricValue(True, "x"), MetricValue(False, "y")
    first, second = (
        {"a": met, "b": met, "c": met},
        {"a": missed, "b": MetricValue(True, "z"), "d": met},
    )
    found = metric_changes(first, second)
    assert [(one.name, one.a, one.b) for one in found] == [
        ("a", met, missed), ("c", met, None), ("d", None, met),
    ]  # fmt: skip
