"""Whether two runs differ by more than noise: the paired test, and a judge's own flip rate."""

from __future__ import annotations

import math

import pytest

from rubric_engine.comparing import compare, said_of_flips, said_of_test
from rubric_engine.criterion import Criterion
from rubric_engine.errors import RunError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval import mcnemar
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.comparing.runs import FACTS, MET, TREE, run
from tests.strategies import group, leaf


def grouped(groups: int, size: int) -> Rubric:
    """A rubric of groups of leaves."""
    pairs: list[tuple[str | None, Criterion]] = [(None, group("root"))]
    for at in range(groups):
        pairs.append(("root", group(f"g{at}")))
        pairs.extend((f"g{at}", leaf(f"g{at}.{one}")) for one in range(size))
    return Rubric.build(pairs)


def test_the_paired_test_is_that_of_the_library() -> None:
    tree = grouped(6, 5)
    before = {key: float(at % 2) for at, key in enumerate(tree.leaves())}
    after = before | {"g0.0": 1.0, "g1.1": 1.0, "g2.0": 1.0, "g3.1": 0.0}
    found = compare(run(tree, before), run(tree, after))
    test, known = found.test, mcnemar(found.test.down, found.test.up)
    assert test.leaves == 30
    assert (test.exact_p, test.mid_p) == (known.exact_p, known.mid_p)
    assert test.points == pytest.approx(found.gap.value)
    assert test.interval.low is not None
    assert test.interval.low <= test.points <= (test.interval.high or 0)
    assert compare(run(tree, before), run(tree, after)).test == test
    said = said_of_test(found)
    assert said.startswith("No clear difference in the grades: +10.0 points on 30 leaves graded")
    assert said.endswith("but 3 groups of leaves changed, and fewer than 6 show nothing.")


@pytest.mark.parametrize(("score", "word"), [(1.0, "higher"), (0.0, "lower")])
def test_a_difference_in_every_group_is_shown(score: float, word: str) -> None:
    tree = grouped(8, 5)
    before = {key: float(key.endswith(("0", "1"))) for key in tree.leaves()}
    flipped = {f"g{at}.{3 if score else 0}": score for at in range(7)}
    found = compare(run(tree, before), run(tree, before | flipped))
    assert found.test.shown
    assert said_of_test(found).startswith(f"B is graded {word} than A: ")


def test_alike_runs_and_runs_without_grades_are_said_so() -> None:
    assert said_of_test(compare(run(TREE, MET), run(TREE, MET))) == (
        "No grade differs on the 8 leaves that both runs graded."
    )
    empty = compare(run(TREE, MET), run(TREE, dict.fromkeys(MET)))
    assert said_of_test(empty).startswith("No leaf that asks for the same has a grade in both")


def test_two_runs_of_one_judge_show_its_noise() -> None:
    found = compare(run(TREE, MET), run(TREE, MET | {"k0": 0}))
    assert found.same_judge
    (rate,) = found.flip_rates
    assert (rate.source, rate.leaves, rate.rate) == ("runs", 8, 0.125)
    assert "j asked again gives another verdict on 12.5% of 8 leaves" in said_of_flips(found, rate)


def test_a_repeat_tells_noise_from_change() -> None:
    other = {"judge": {"name": "k", "fingerprint": "e" * 64}}
    first, second = run(TREE, MET), run(TREE, MET | {"k0": 0}, facts=other)
    noisy = run(TREE, MET | {"k1": 0, "k2": 0})
    found = compare(first, second, repeats=[noisy])
    (rate,) = found.flip_rates
    assert rate.rate == 0.25
    assert rate.points == pytest.approx(-25)
    assert said_of_flips(found, rate).endswith("here 12.5%: no more than its own noise.")
    with pytest.raises(RunError, match="no second run") as caught:
        compare(first, second, repeats=[run(TREE, MET, facts={"submission_sha256": "6" * 64})])
    assert caught.value.code == "E574"


def test_samples_tell_a_flip_rate() -> None:
    sampled = [(1.0, 1.0, 1.0), (1.0, 0.0, 1.0), *[(1.0, 1.0, 1.0)] * 6]
    grades = {
        key: Grade.graded(1.0, samples=samples)
        for key, samples in zip(TREE.leaves(), sampled, strict=True)
    }
    first = Report(TREE, grades, provenance=FACTS)
    found = compare(first, run(TREE, MET, facts={"judge": {"name": "k", "fingerprint": "e"}}))
    (rate,) = found.flip_rates
    assert (rate.judge, rate.source, rate.leaves) == ("j", "samples", 8)
    assert rate.rate == pytest.approx(2 / 3 / 8)


def test_a_lost_grade_is_none_of_a_judges_own_noise() -> None:
    (rate,) = compare(run(TREE, MET), run(TREE, MET | {"k0": None})).flip_rates
    assert (rate.leaves, rate.rate, rate.points) == (7, 0, None)


@pytest.mark.parametrize("weights", [(1e-300, 5e-324), (1.0, 1e-300), (1e300, 5e-324)])
def test_the_tiniest_weights_leave_the_interval_finite(weights: tuple[float, float]) -> None:
    pairs: list[tuple[str | None, Criterion]] = [(None, group("root"))]
    for at in range(8):
        pairs.append(("root", group(f"g{at}", weight=weights[at % 2])))
        pairs.extend((f"g{at}", leaf(f"g{at}.{one}")) for one in range(3))
    tree = Rubric.build(pairs)
    before = dict.fromkeys(tree.leaves(), 0.0)
    found = compare(run(tree, before), run(tree, dict.fromkeys(before, 1.0)))  # no warning either
    bounds = (found.test.interval.low, found.test.interval.high)
    assert all(bound is None or math.isfinite(bound) for bound in bounds)
