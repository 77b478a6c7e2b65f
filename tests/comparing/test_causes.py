"""The difference of two scores is split exactly, whatever the rubric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.comparing import compare
from rubric_engine.comparing.aligning import align
from rubric_engine.comparing.causes import split
from rubric_engine.comparing.kinds import Kind, leaf_kinds
from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import Missing
from tests.comparing.editions import Graded, by_kind, causes, editions, graded
from tests.comparing.runs import MET, TREE, run
from tests.strategies import ANY_WEIGHTS, flat, graded_rubrics, group, leaf

TURNED: Mapping[Kind, Kind] = {
    "up": "down",
    "down": "up",
    "added": "removed",
    "removed": "added",
    "became_gradeable": "became_ungradeable",
    "became_ungradeable": "became_gradeable",
}

MISSING: st.SearchStrategy[Missing] = st.sampled_from(["zero", "renormalise"])


def pair_of(both: tuple[Graded, Graded], missing: Missing) -> tuple[Report, Report]:
    """Two runs under one policy."""
    first, second = (Report(rubric, grades, missing=missing) for rubric, grades in both)
    return first, second


@given(editions(weights=ANY_WEIGHTS), MISSING)
def test_causes_add_up_to_the_difference(both: tuple[Graded, Graded], missing: Missing) -> None:
    first, second = pair_of(both, missing)
    before, after = first.score.value, second.score.value
    if before is None or after is None:
        return
    found = causes(first, second)
    total = math.fsum(one.points for one in found)
    assert total / 100 == pytest.approx(after - before, abs=1e-12)
    assert all(abs(one.points) <= 100 + 1e-9 for one in found)


TEXTS = st.lists(st.sampled_from("xyz"), min_size=25, max_size=25)


def retold(rubric: Rubric, texts: Sequence[str]) -> Rubric:
    """The same rubric with these texts, of which many are alike."""
    told = zip(rubric.order, texts, strict=False)
    return Rubric.build(
        (rubric.parent(key), rubric[key].model_copy(update={"requirements": text}))
        for key, text in told
    )


@given(graded_rubrics(weights=ANY_WEIGHTS), graded_rubrics(), TEXTS, TEXTS, MISSING)
@settings(max_examples=60)
def test_causes_add_up_where_keys_texts_and_places_are_mixed(
    one: Graded, other: Graded, texts: Sequence[str], others: Sequence[str], missing: Missing
) -> None:
    both = ((retold(one[0], texts), one[1]), (retold(other[0], others), other[1]))
    first, second = pair_of(both, missing)
    shared = align(first.rubric, second.rubric)
    found = leaf_kinds(first, second, shared)
    for side, rubric in (("a", first.rubric), ("b", second.rubric)):
        named = [getattr(leaf, side) for leaf in found if getattr(leaf, side) is not None]
        assert sorted(named) == sorted(rubric.leaves())
    before, after = first.score.value, second.score.value
    if before is not None and after is not None:
        total = math.fsum(cause.points for cause in split(first, second, shared, found))
        assert total / 100 == pytest.approx(after - before, abs=1e-12)


@given(editions(), MISSING)
@settings(max_examples=50)
def test_swapping_the_runs_turns_every_cause(both: tuple[Graded, Graded], missing: Missing) -> None:
    first, second = pair_of(both, missing)
    if first.score.value is None or second.score.value is None:
        return
    there, back = by_kind(causes(first, second)), by_kind(causes(second, first))
    turned = {TURNED.get(kind, kind): -points for kind, points in back.items()}
    for kind in there.keys() | turned.keys():
        assert there.get(kind, 0.0) == pytest.approx(turned.get(kind, 0.0), abs=1e-9)


@given(editions(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_leaves_changes_nothing(both: tuple[Graded, Graded], random: object) -> None:
    first, second = pair_of(both, "zero")
    if first.score.value is None or second.score.value is None:
        return
    mixed = [replace(run, rubric=shuffled(run.rubric, random)) for run in (first, second)]
    there, again = by_kind(causes(first, second)), by_kind(causes(*mixed))
    for kind in there.keys() | again.keys():
        assert there.get(kind, 0.0) == pytest.approx(again.get(kind, 0.0), abs=1e-9)


def shuffled(rubric: Rubric, random: object) -> Rubric:
    """The same rubric with siblings in another order."""
    order, pending = [], [rubric.root]
    while pending:
        key = pending.pop()
        order.append((rubric.parent(key), rubric[key]))
        children = list(rubric.children(key))
        random.shuffle(children)  # type: ignore[attr-defined]
        pending.extend(children)
    return Rubric.build(order)


ONE, HALF = Grade.graded(1.0), Grade.graded(0.5)

ALL = flat(leaf("a"), leaf("b"), root=group("root", aggregate="all"))
ANY = flat(leaf("a"), leaf("b"), root=group("root", aggregate="any"))

CASES: dict[str, tuple[Report, Report, dict[Kind, float]]] = {
    "a flip is worth what the leaf is": (
        Report(flat(leaf("a"), leaf("b", weight=3)), graded({"a": 1, "b": 0})),
        Report(flat(leaf("a"), leaf("b", weight=3)), graded({"a": 0, "b": 1})),
        {"up": 75, "down": -25},
    ),
    "a lost grade is no verdict": (
        Report(flat(leaf("a"), leaf("b")), graded({"a": 1, "b": 1})),
        Report(flat(leaf("a"), leaf("b")), graded({"a": 1, "b": None})),
        {"became_ungradeable": -50},
    ),
    "what asks something else is no flip": (
        Report(flat(leaf("a"), leaf("b")), graded({"a": 0, "b": 1})),
        Report(flat(leaf("a", requirements="new"), leaf("b")), graded({"a": 1, "b": 1})),
        {"text_changed": 50},
    ),
    "an added leaf is held against the others": (
        Report(flat(leaf("a"), leaf("b")), graded({"a": 1, "b": 0})),
        Report(flat(leaf("a"), leaf("b"), leaf("c", weight=2)), graded({"a": 1, "b": 0, "c": 1})),
        {"added": 25},
    ),
    "weights alone": (
        Report(flat(leaf("a"), leaf("b")), graded({"a": 1, "b": 0})),
        Report(flat(leaf("a", weight=3), leaf("b")), graded({"a": 1, "b": 0})),
        {"weight_changed": 25},
    ),
    "scaled siblings are the same": (
        Report(flat(leaf("a", weight=1), leaf("b", weight=3)), graded({"a": 1, "b": 0})),
        Report(flat(leaf("a", weight=10), leaf("b", weight=30)), graded({"a": 1, "b": 0})),
        {},
    ),
    "what does not apply leaves": (
        Report(flat(leaf("a"), leaf("b")), graded({"a": 1, "b": 0})),
        Report(flat(leaf("a"), leaf("b")), {"a": ONE, "b": Grade.not_applicable()}),
        {"applies": 50},
    ),
    "all that rise share what all of them bring": (
        Report(
            ALL,
            graded({"a": 0.5, "b": 0}),
        ),
        Report(
            ALL,
            graded({"a": 1, "b": 1}),
        ),
        {"part": 50, "up": 50},
    ),
    "another aggregate": (
        Report(
            ANY,
            graded({"a": 1, "b": 0}),
        ),
        Report(
            ALL,
            graded({"a": 1, "b": 0}),
        ),
        {"aggregate_changed": -100},
    ),
    "a disqualified run has earned nothing": (
        Report(flat(leaf("a"), leaf("b")), {"a": ONE, "b": HALF}),
        Report(flat(leaf("a"), leaf("b")), {"a": ONE, "b": ONE}, disqualified="copied"),
        {"part": 25, "disqualified": -100},
    ),
    "a disqualified run of which nothing applies": (
        Report(flat(leaf("a")), {"a": Grade.not_applicable()}, disqualified="copied"),
        Report(flat(leaf("a")), {"a": ONE}),
        {"disqualified": 100},
    ),
    "a root that is a leaf": (
        Report(Rubric.build([(None, leaf("root"))]), graded({"root": 0})),
        Report(flat(leaf("a")), graded({"a": 1})),
        {"text_changed": 100},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_each_cause_does(name: str) -> None:
    first, second, expected = CASES[name]
    assert by_kind(causes(first, second)) == pytest.approx(expected)


def test_below_another_aggregate_what_pulled_the_other_way_gets_nothing() -> None:
    root = group("root", aggregate="min")
    tree = Rubric.build(
        [
            (None, root),
            ("root", leaf("a")),
            ("root", group("g")),
            ("g", leaf("x", weight=3)),
            ("g", leaf("y")),
        ]
    )
    first = Report(tree, graded({"a": 1, "x": 0, "y": 1}))
    second = Report(tree, graded({"a": 1, "x": 1, "y": 0}))
    assert {one.a: one.points for one in causes(first, second)} == {"x": pytest.approx(50), "y": 0}


def test_two_runs_that_lost_the_same_have_no_row_of_it() -> None:
    spoilt = run(TREE, MET).disqualify("it copies")
    assert "disqualified" not in {row.kind for row in compare(spoilt, spoilt).kinds}
    one = compare(run(TREE, MET), spoilt)
    assert [(row.kind, row.points) for row in one.kinds if row.points] == [("disqualified", -100.0)]
