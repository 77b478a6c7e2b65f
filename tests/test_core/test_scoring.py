import itertools
import json
import math
import operator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade, Score
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_grades, load_rubric
from rubric_engine.scoring import NOTHING, Missing, aggregator, propagate, weighted_mean
from tests.strategies import (
    AGGREGATES,
    ANY_WEIGHTS,
    SCORES,
    VIEWS,
    chain,
    everywhere,
    filled,
    flat,
    graded_rubrics,
    group,
    leaf,
    rubrics,
)

Graded = tuple[Rubric, dict[str, Grade]]


@pytest.mark.parametrize("missing", ["zero", "renormalise"])
@settings(max_examples=300)
@given(rubric=rubrics(weights=ANY_WEIGHTS), view=st.sampled_from(sorted(VIEWS)))
def test_all_ones_give_exactly_one(missing: Missing, rubric: Rubric, view: str) -> None:
    seen = VIEWS[view](rubric)
    for score in propagate(seen, everywhere(seen, 1.0), missing=missing).values():
        assert score == NOTHING or (score.value, score.low, score.high) == (1.0, 1.0, 1.0)


@given(rubrics(weights=ANY_WEIGHTS), st.sampled_from(sorted(VIEWS)))
def test_all_zeros_give_exactly_zero(rubric: Rubric, view: str) -> None:
    seen = VIEWS[view](rubric)
    for score in propagate(seen, everywhere(seen, 0.0)).values():
        assert score == NOTHING or (score.value, score.low, score.high) == (0.0, 0.0, 0.0)


@given(rubrics())
def test_positive_weights_leave_something_to_score(rubric: Rubric) -> None:
    assert propagate(rubric, everywhere(rubric, 1.0))[rubric.root].coverage == 1.0


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_the_range_is_exact(graded: Graded) -> None:
    rubric, grades = graded
    scores = propagate(rubric, grades)
    worst = propagate(rubric, filled(rubric, grades, 0.0))
    best = propagate(rubric, filled(rubric, grades, 1.0))
    for key, score in scores.items():
        assert score.value == score.low == worst[key].value
        assert score.high == best[key].value


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_the_renormalised_value_lies_in_the_range(graded: Graded) -> None:
    rubric, grades = graded
    for score in propagate(rubric, grades, missing="renormalise").values():
        if score.value is not None and score.low is not None and score.high is not None:
            assert score.low <= score.value <= score.high


@given(graded_rubrics(weights=ANY_WEIGHTS), st.data())
def test_raising_a_leaf_never_lowers_a_score(graded: Graded, data: st.DataObject) -> None:
    rubric, grades = graded
    judged = sorted(key for key, grade in grades.items() if grade.score is not None)
    assume(judged)
    key = data.draw(st.sampled_from(judged))
    better = data.draw(st.floats(grades[key].score or 0.0, 1))
    before = propagate(rubric, grades)
    after = propagate(rubric, grades | {key: Grade.graded(better)})
    assert all(_at_most(before[key], after[key]) for key in rubric)


def _at_most(one: Score, other: Score) -> bool:
    pairs = [(one.value, other.value), (one.low, other.low), (one.high, other.high)]
    return all(a == b or (a is not None and b is not None and a <= b) for a, b in pairs)


@given(graded_rubrics(weights=ANY_WEIGHTS), SCORES, st.data())
def test_one_more_grade_narrows_the_range(
    graded: Graded, score: float, data: st.DataObject
) -> None:
    rubric, grades = graded
    known = {key for key, grade in grades.items() if grade.status != "ungradeable"}
    open_leaves = [key for key in rubric.leaves() if key not in known]
    assume(open_leaves)
    key = data.draw(st.sampled_from(open_leaves))
    before = propagate(rubric, grades)[rubric.root]
    after = propagate(rubric, grades | {key: Grade.graded(score)})[rubric.root]
    if before.low is not None and before.high is not None:
        assert after.low is not None
        assert after.high is not None
        assert before.low <= after.low <= after.high <= before.high
        assert before.coverage <= after.coverage


@given(
    graded_rubrics(grades=st.integers(0, 8).map(lambda n: Grade.graded(n / 8))),
    st.floats(1e-6, 1e6),
)
def test_scaling_siblings_changes_nothing(graded: Graded, factor: float) -> None:
    rubric, grades = graded
    inner = {key for key in rubric if rubric.children(key)}
    scaled = Rubric.build(
        (
            rubric.parent(key),
            _reweighted(rubric[key], factor if rubric.parent(key) in inner else 1.0),
        )
        for key in rubric
    )
    before, after = propagate(rubric, grades), propagate(scaled, grades)
    for key in rubric:
        assert after[key].value == pytest.approx(before[key].value, abs=1e-12)


def _reweighted(criterion: Criterion, factor: float) -> Criterion:
    return criterion.model_copy(update={"weight": criterion.weight * factor})


@given(graded_rubrics(weights=ANY_WEIGHTS), st.data())
def test_what_does_not_apply_might_as_well_not_be_there(
    graded: Graded, data: st.DataObject
) -> None:
    rubric, grades = graded
    out = data.draw(st.sampled_from(rubric.leaves()))
    assume(out != rubric.root)
    without = Rubric.build((rubric.parent(key), rubric[key]) for key in rubric if key != out)
    marked = propagate(rubric, grades | {out: Grade.not_applicable()})
    assert marked.pop(out) == NOTHING
    assert marked == propagate(without, grades)


@given(graded_rubrics(weights=ANY_WEIGHTS))
def test_coverage_is_one_minus_what_is_open_through_means(graded: Graded) -> None:
    rubric, grades = graded
    plain = Rubric.build(
        (rubric.parent(key), rubric[key].model_copy(update={"aggregate": None})) for key in rubric
    )
    root = propagate(plain, grades)[rubric.root]
    if root.low is not None and root.high is not None:
        assert root.coverage == pytest.approx(1 - (root.high - root.low), abs=1e-12)


def test_policies_differ_in_the_value_alone() -> None:
    rubric = flat(leaf("a", weight=3), leaf("b"))
    grades = {"a": Grade.graded(0.5), "b": Grade.ungradeable("needs_model")}
    zero = propagate(rubric, grades)["root"]
    renormalised = propagate(rubric, grades, missing="renormalise")["root"]
    assert (zero.value, renormalised.value) == (0.375, 0.5)
    assert zero.model_copy(update={"value": 0.5}) == renormalised


def test_without_any_grade() -> None:
    rubric = flat(leaf("a"), leaf("b"))
    assert propagate(rubric, {})["root"] == Score(value=0, low=0, high=1, coverage=0)
    assert propagate(rubric, {}, missing="renormalise")["root"] == NOTHING


def test_a_view_without_leaves_does_not_apply() -> None:
    assert propagate(flat(leaf("a")).subset(category="Ablation"), {}) == {"root": NOTHING}


def test_a_group_whose_rest_weighs_nothing_in_a_view_leaves_the_sums() -> None:
    rubric = Rubric.build(
        [
            (None, group("root")),
            ("root", group("g", weight=9)),
            ("g", leaf("a", category="Ablation")),
            ("g", leaf("b", weight=0)),
            ("root", leaf("c")),
        ]
    )
    view = rubric.subset(category="Code Development")
    scores = propagate(view, {"b": Grade.graded(0), "c": Grade.graded(1)})
    assert scores["g"] == NOTHING
    assert scores["root"].value == 1.0


@pytest.mark.parametrize(
    ("aggregate", "scores", "expected"),
    [
        ("weighted_mean", [1, 0.5, 0], 0.5),
        ("all", [1, 1, 1], 1),
        ("all", [1, 1, 0.99], 0),
        ("any", [0, 0, 1], 1),
        ("any", [0.99, 0.5, 0], 0),
        ("min", [1, 0.25, 0.5], 0.25),
        ("product", [0.5, 0.5, 1], 0.25),
        ("at_least(2)", [1, 1, 0], 1),
        ("at_least(2)", [1, 0.9, 0.9], 0),
        ("at_least(5)", [1, 1, 1], 1),
        ("at_least(5)", [1, 1, 0], 0),
    ],
)
def test_aggregates(aggregate: str, scores: list[float], expected: float) -> None:
    leaves = [leaf(f"l{index}") for index in range(len(scores))]
    rubric = flat(*leaves, root=group("root", aggregate=aggregate))
    grades = {one.key: Grade.graded(score) for one, score in zip(leaves, scores, strict=True)}
    assert propagate(rubric, grades)["root"].value == expected


@pytest.mark.parametrize("aggregate", [name for name in AGGREGATES if name is not None])
@given(scores=st.lists(SCORES, min_size=1, max_size=6), data=st.data())
def test_aggregates_are_monotone(aggregate: str, scores: list[float], data: st.DataObject) -> None:
    combine = aggregator(aggregate)
    weights = data.draw(st.lists(st.floats(1e-9, 1e9), min_size=len(scores), max_size=len(scores)))
    index = data.draw(st.integers(0, len(scores) - 1))
    better = [*scores]
    better[index] = data.draw(st.floats(scores[index], 1))
    assert 0 <= combine(weights, scores) <= combine(weights, better) <= 1


@given(st.lists(st.tuples(st.floats(1e-3, 1e3), SCORES), min_size=1, max_size=8))
def test_the_weighted_mean_is_the_weighted_mean(rows: list[tuple[float, float]]) -> None:
    weights, scores = [w for w, _ in rows], [s for _, s in rows]
    exact = math.fsum(map(operator.mul, weights, scores)) / math.fsum(weights)
    assert weighted_mean(weights, scores) == pytest.approx(exact, abs=1e-12)


def test_a_long_chain_rolls_up_without_recursion() -> None:
    rubric = chain(50_000)
    assert propagate(rubric, everywhere(rubric, 0.5))[rubric.root].value == 0.5


@pytest.mark.parametrize(
    "name",
    [
        "bbox",
        "lca-on-the-line",
        "pinn",
        "rice",
        "semantic-self-consistency",
        "stochastic-interpolants",
    ],
)
def test_all_ones_give_exactly_one_on_the_public_papers(name: str, paperbench_papers: Path) -> None:
    rubric = load_rubric(paperbench_papers / name / "rubric.json")
    for view in VIEWS.values():
        seen = view(rubric)
        root = propagate(seen, everywhere(seen, 1.0))[seen.root]
        assert root.value == (1.0 if seen.leaves() else None)


@pytest.mark.parametrize(
    "name", ["rice", "semantic-self-consistency", "stay-on-topic-with-classifier-free-guidance"]
)
def test_labelled_trees_roll_up_to_what_they_say(name: str, test_data: Path) -> None:
    folder = test_data / "paperbench" / "judge_eval" / name / "0" / "grading"
    path = folder / "expected_result.json"
    rubric = load_rubric(path)
    scores = propagate(rubric, load_grades(path))
    stored: list[float] = []
    stack = [json.loads(path.read_text())]
    while stack:
        node = stack.pop()
        stored.append(node["score"])
        stack.extend(reversed(node["sub_tasks"]))
    assert [scores[key].value for key in rubric] == pytest.approx(stored, abs=1e-9)


@settings(max_examples=50)
@given(rubric=rubrics(aggregates=(None, "weighted_mean"), max_nodes=9), data=st.data())
def test_the_standard_deviation_is_that_of_independent_leaves(
    rubric: Rubric, data: st.DataObject
) -> None:
    leaves = rubric.leaves()
    chances = [data.draw(st.sampled_from([0.1, 0.5, 0.8])) for _ in leaves]
    expected = {
        key: Grade.graded(chance, sd=math.sqrt(chance * (1 - chance)))
        for key, chance in zip(leaves, chances, strict=True)
    }
    score = propagate(rubric, expected)[rubric.root]
    assume(score.value is not None)
    mean = square = 0.0
    for outcome in itertools.product((0.0, 1.0), repeat=len(leaves)):
        weight = math.prod(c if o else 1 - c for o, c in zip(outcome, chances, strict=True))
        grades = {key: Grade.graded(met) for key, met in zip(leaves, outcome, strict=True)}
        value = propagate(rubric, grades)[rubric.root].value or 0.0
        mean, square = mean + weight * value, square + weight * value**2
    assert score.value == pytest.approx(mean)
    assert score.sd == pytest.approx(math.sqrt(max(0.0, square - mean**2)), abs=1e-6)


def test_there_is_no_standard_deviation_where_it_does_not_follow() -> None:
    unsure = Grade.graded(0.5, sd=0.5)
    rubric = flat(leaf("a"), leaf("b"))
    both = {"a": unsure, "b": Grade.graded(1.0)}
    assert propagate(rubric, both)["root"].sd == 0.25
    assert propagate(rubric, {"a": Grade.graded(0.5), "b": Grade.graded(1.0)})["root"].sd is None
    some = flat(leaf("a"), leaf("b"), root=group("root", aggregate="min"))
    assert propagate(some, both)["root"].sd is None
    certain = {"a": Grade.graded(1.0, sd=0.0), "b": Grade.graded(1.0)}
    assert propagate(rubric, certain)["root"].sd is None
