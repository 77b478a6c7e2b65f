import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rubric_engine.categories import SUBTREE, Category
from rubric_engine.criterion import Criterion
from rubric_engine.errors import RubricError
from rubric_engine.rubric import Rubric
from rubric_engine.worth import shares
from tests.strategies import ANY_WEIGHTS, CATEGORIES, VIEWS, chain, flat, group, leaf, rubrics

BIG = Rubric.build(
    [
        (None, group("root")),
        ("root", group("code", weight=3)),
        ("code", leaf("a", weight=2)),
        ("code", leaf("b", finegrained_task_category="Setup")),
        ("root", group("runs")),
        ("runs", leaf("c", category="Code Execution")),
    ]
)


def test_look_ups() -> None:
    assert BIG.root == "root"
    assert BIG["a"].weight == 2
    assert BIG.children("code") == ("a", "b")
    assert (BIG.parent("a"), BIG.parent("root")) == ("code", None)
    assert BIG.path("a") == ("root", "code", "a")
    assert (BIG.levels["root"], BIG.levels["a"]) == (1, 3)
    assert BIG.leaves() == ("a", "b", "c")
    assert list(BIG) == list(BIG.order) == ["root", "code", "a", "b", "runs", "c"]
    assert (len(BIG), "a" in BIG, "x" in BIG) == (6, True, False)
    assert (BIG.worth("root"), BIG.worth("a"), BIG.worth("c")) == (1, 0.5, 0.25)
    with pytest.raises(KeyError, match="no criterion 'x'"):
        BIG["x"]


@given(rubrics(weights=ANY_WEIGHTS))
def test_document_order_is_depth_first(rubric: Rubric) -> None:
    assert list(rubric.order) == list(nx.dfs_preorder_nodes(rubric.graph, rubric.root))
    assert rubric.leaves() == tuple(key for key in rubric.order if not rubric.children(key))
    assert all(rubric.path(key)[-2:-1] == (rubric.parent(key),) for key in rubric.order[1:])


@given(rubrics())
def test_worth_of_the_leaves_adds_up_to_one(rubric: Rubric) -> None:
    assert math.fsum(map(rubric.worth, rubric.leaves())) == pytest.approx(1, abs=1e-9)


@given(rubrics(weights=ANY_WEIGHTS))
def test_no_weight_is_too_large_or_too_small_for_worth(rubric: Rubric) -> None:
    assert all(0 <= rubric.worth(key) <= 1 for key in rubric)
    for key in rubric:
        below = math.fsum(map(rubric.worth, rubric.children(key)))
        weighs = any(rubric[child].weight for child in rubric.children(key))
        assert below == pytest.approx(rubric.worth(key) if weighs else 0.0, rel=1e-9, abs=1e-300)


@given(rubrics(), st.sets(st.integers(0, 24).map("n{}".format)))
def test_shares_go_to_what_applies(rubric: Rubric, gone: set[str]) -> None:
    share = shares(rubric, lambda key: key not in gone)
    assert list(share) == [key for key in rubric if gone.isdisjoint(rubric.path(key))]
    for key in share:
        below = [share[child] for child in rubric.children(key) if child in share]
        assert not below or math.fsum(below) == pytest.approx(share[key])


@given(rubrics(weights=ANY_WEIGHTS), st.sampled_from(sorted(VIEWS)))
def test_views_keep_keys_and_order(rubric: Rubric, view: str) -> None:
    seen = VIEWS[view](rubric)
    kept = set(seen)
    assert kept <= set(rubric)
    assert list(seen) == [key for key in rubric if key in kept]
    assert seen.root == rubric.root
    assert all(seen.parent(key) == rubric.parent(key) for key in seen)
    assert all(seen[key].weight == rubric[key].weight for key in seen)


@given(rubric=rubrics(), name=st.sampled_from(CATEGORIES))
def test_a_subset_has_the_leaves_of_its_category(rubric: Rubric, name: str) -> None:
    wanted = tuple(key for key in rubric.leaves() if rubric[key].task_category == name)
    seen = rubric.subset(category=name)
    assert seen.leaves() == wanted
    assert all(seen.children(key) or key in wanted or key == seen.root for key in seen)


@given(rubric=rubrics(), levels=st.integers(1, 6))
def test_pruning_keeps_so_many_levels(rubric: Rubric, levels: int) -> None:
    seen = rubric.prune_to_depth(levels)
    assert set(seen) == {key for key in rubric if rubric.levels[key] <= levels}
    assert all(seen.children(key) or seen.is_leaf(key) for key in seen)
    cut = [key for key in seen.leaves() if not rubric.is_leaf(key)]
    assert all(seen[key].task_category == SUBTREE for key in cut)
    assert all("estimated" in seen[key].tags for key in cut)


def test_without_a_finer_category() -> None:
    assert BIG.without(finegrained="Setup").leaves() == ("a", "c")


def test_pruning_to_no_level_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more, got 0"):
        BIG.prune_to_depth(0)


def test_views_keep_the_header() -> None:
    own = {"Ablation": Category(question="Is it ablated?", needs_run=True)}
    rubric = Rubric.build([(None, leaf("a", category="Ablation"))], title="T", categories=own)
    seen = rubric.subset(category="Ablation")
    assert (seen.title, seen.categories) == ("T", own)
    assert rubric.needs_run("a")
    assert rubric.category_of("a").question == "Is it ablated?"


@pytest.mark.parametrize(
    ("category", "checks", "needs_run"),
    [
        ("Code Development", [], False),
        ("Code Execution", [], True),
        ("Result Analysis", [], True),
        ("Of its own", [], False),
        ("Code Development", [{"python_defines": {"name": "f"}}], False),
        ("Code Development", [{"not": {"any": [{"exit_code": {}}]}}], True),
        ("Code Development", [{"number": {"log": True, "regex": "x", "equals": 1}}], True),
        ("Code Development", [{"number": {"file": "a", "regex": "x", "equals": 1}}], False),
    ],
)
def test_what_needs_a_run(category: str, checks: list[object], needs_run: bool) -> None:
    assert flat(leaf("a", category=category, checks=checks)).needs_run("a") is needs_run


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "at least one criterion"),
        ([(None, leaf("a")), (None, leaf("b"))], "parent None of 'b'"),
        ([("x", leaf("a"))], "parent 'x' of 'a'"),
        ([(None, group("a")), ("x", leaf("b"))], "parent 'x' of 'b'"),
        ([(None, group("a")), ("a", leaf("a"))], "'a' stands twice"),
    ],
)
def test_building_refuses(pairs: list[tuple[str | None, Criterion]], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        Rubric.build(pairs)


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf])
def test_a_weight_is_a_number_from_zero(weight: float) -> None:
    with pytest.raises(ValidationError):
        leaf("a", weight=weight)


@pytest.mark.parametrize("aggregate", ["mean", "at_least", "at_least(0)", "at_least(-1)", "ALL"])
def test_an_unknown_aggregate_is_refused(aggregate: str) -> None:
    with pytest.raises(ValidationError):
        group("a", aggregate=aggregate)


def test_partial_credit() -> None:
    steps = [{"score": 0, "says": "no"}, {"score": 1, "says": "yes"}]
    assert not leaf("a").partial_credit
    assert leaf("a", scale=steps).partial_credit
    assert leaf("a", aggregate="weighted_mean").partial_credit


@given(rubrics())
def test_equal_by_content(rubric: Rubric) -> None:
    again = Rubric.build((rubric.parent(key), rubric[key]) for key in rubric)
    assert again == rubric
    assert again.sha256 == rubric.sha256


def test_a_changed_weight_changes_the_hash() -> None:
    assert flat(leaf("a", weight=2)).sha256 != flat(leaf("a")).sha256
    assert flat(leaf("a", weight=2)) != flat(leaf("a"))
    assert flat(leaf("a")) != "a"


def test_a_moved_leaf_changes_the_hash() -> None:
    nodes = [group("root"), group("g"), group("h"), leaf("a"), leaf("b"), leaf("c")]
    parents = [None, "root", "root", "g", "g", "h"]
    moved = [None, "root", "root", "g", "h", "h"]
    rubric = Rubric.build(zip(parents, nodes, strict=True))
    assert rubric.sha256 != Rubric.build(zip(moved, nodes, strict=True)).sha256


def test_a_rubric_is_frozen() -> None:
    with pytest.raises(nx.NetworkXError):
        BIG.graph.add_node("new")
    with pytest.raises(TypeError, match="unhashable"):
        hash(BIG)
    assert repr(BIG) == "<Rubric 'root': 6 criteria>"


@pytest.mark.slow
def test_a_long_chain_needs_no_recursion() -> None:
    rubric = chain(50_000)
    last = rubric.leaves()[0]
    assert rubric.levels[last] == len(rubric) == len(rubric.order) == 50_000
    assert rubric.worth(last) == 1.0
    assert rubric.subset(category="Code Development") == rubric
    assert len(rubric.without(finegrained="absent")) == 50_000
    assert rubric.prune_to_depth(40_000).leaves() == ("n39999",)
    assert len(rubric.sha256) == 64
