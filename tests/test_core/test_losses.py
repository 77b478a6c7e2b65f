import math

import pytest
from hypothesis import given

from rubric_engine.grading import Grade
from rubric_engine.losses import CategoryScore, Loss, category_scores, is_mean, points_lost
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import NOTHING, propagate
from tests.strategies import ANY_WEIGHTS, flat, graded_rubrics, group, leaf

Graded = tuple[Rubric, dict[str, Grade]]


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_what_the_owners_lost_is_what_the_root_lacks(graded: Graded) -> None:
    rubric, grades = graded
    scores = propagate(rubric, grades)
    losses = points_lost(rubric, scores)
    low = scores[rubric.root].low
    owners = [loss for key, loss in losses.items() if not is_mean(rubric, key)]
    gone = math.fsum(loss.lost for loss in owners) + math.fsum(loss.open for loss in owners)
    assert (losses == {}) == (low is None)
    assert low is None or gone + 100 * low == pytest.approx(100, abs=1e-9)


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_a_mean_group_lost_what_its_children_lost(graded: Graded) -> None:
    rubric, grades = graded
    losses = points_lost(rubric, propagate(rubric, grades))
    for key, loss in losses.items():
        if is_mean(rubric, key):
            below = [losses[child] for child in rubric.children(key) if child in losses]
            assert math.fsum(one.worth for one in below) == pytest.approx(loss.worth, abs=1e-9)
            assert math.fsum(one.lost for one in below) == pytest.approx(loss.lost, abs=1e-9)
            assert math.fsum(one.open for one in below) == pytest.approx(loss.open, abs=1e-9)


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_categories_add_up_to_the_whole(graded: Graded) -> None:
    rubric, grades = graded
    scores = propagate(rubric, grades)
    rows = category_scores(rubric, scores).values()
    root = points_lost(rubric, scores).get(rubric.root, Loss(0, 0, 0))
    assert math.fsum(row.points for row in rows) == pytest.approx(root.worth, abs=1e-9)
    assert math.fsum(row.lost for row in rows) == pytest.approx(root.lost, abs=1e-9)
    assert math.fsum(row.open for row in rows) == pytest.approx(root.open, abs=1e-9)
    assert sum(row.leaves for row in rows) == len(rubric.leaves())


@given(graded_rubrics(aggregates=(None,)))
def test_through_means_a_category_lost_what_its_score_lacks(graded: Graded) -> None:
    rubric, grades = graded
    for row in category_scores(rubric, propagate(rubric, grades)).values():
        if row.score.high is not None and row.score.low is not None:
            assert row.lost == pytest.approx(row.points * (1 - row.score.high), abs=1e-9)
            assert row.open == pytest.approx(
                row.points * (row.score.high - row.score.low), abs=1e-9
            )


def test_points_of_what_does_not_apply_go_to_the_siblings() -> None:
    rubric = flat(leaf("a", weight=3), leaf("b"), leaf("c", weight=6))
    grades = {"a": Grade.graded(0.5), "c": Grade.not_applicable()}
    assert points_lost(rubric, propagate(rubric, grades)) == {
        "root": Loss(100, 37.5, 25),
        "a": Loss(75, 37.5, 0),
        "b": Loss(25, 0, 25),
    }


def test_a_group_that_is_no_mean_owns_its_points() -> None:
    rubric = Rubric.build(
        [
            (None, group("root")),
            ("root", group("strict", weight=3, aggregate="all")),
            ("strict", group("inner")),
            ("inner", leaf("a")),
            ("strict", leaf("b", category="Code Execution")),
            ("root", leaf("c")),
        ]
    )
    scores = propagate(rubric, {"a": Grade.graded(1), "b": Grade.graded(0), "c": Grade.graded(1)})
    losses = points_lost(rubric, scores)
    assert losses == {"root": Loss(100, 75, 0), "strict": Loss(75, 75, 0), "c": Loss(25, 0, 0)}
    execution = category_scores(rubric, scores)["Code Execution"]
    assert (execution.points, execution.lost) == (37.5, 37.5)


def test_a_category_counts_its_leaves() -> None:
    rubric = flat(leaf("a", weight=3), leaf("b"), leaf("c"), leaf("d", category="Ablation"))
    grades = {"a": Grade.graded(1), "b": Grade.ungradeable("not_run"), "c": Grade.not_applicable()}
    scores = category_scores(rubric, propagate(rubric, grades))
    code = scores["Code Development"]
    assert list(scores) == ["Code Development", "Ablation"]
    assert (code.leaves, code.graded, code.not_applicable) == (3, 1, 1)
    assert (code.points, code.lost, code.open) == (80, 0, 20)
    assert (code.score.low, code.score.high, code.score.coverage) == (0.75, 1, 0.75)


def test_a_category_without_worth_has_no_score() -> None:
    rubric = flat(leaf("a"), leaf("b", weight=0, category="Ablation"))
    row = category_scores(rubric, propagate(rubric, {}))["Ablation"]
    assert row == CategoryScore(NOTHING, 0, 1, 0, 0, 0, 0)


def test_nothing_that_applies_loses_nothing() -> None:
    rubric = flat(leaf("a"))
    scores = propagate(rubric, {"a": Grade.not_applicable()})
    assert points_lost(rubric, scores) == {}
    assert category_scores(rubric, scores)["Code Development"].not_applicable == 1
