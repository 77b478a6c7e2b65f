"""Two runs, leaf by leaf: what happened, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.comparing import (
    KIND_WORDS,
    Comparison,
    compare,
    comparison_values,
    regression,
    said_of_holes,
)
from rubric_engine.comparing.aligning import align
from rubric_engine.errors import RunError
from rubric_engine.grading import Grade
from rubric_engine.result import Report, Stop
from rubric_engine.rubric import Rubric
from tests.comparing.editions import graded
from tests.comparing.runs import FACTS, MET, TREE, run
from tests.strategies import flat, group, leaf


def kinds(found: Comparison) -> dict[str, int]:
    """Leaves by kind."""
    return {row.kind: row.leaves for row in found.kinds}


def test_every_leaf_has_one_kind() -> None:
    old = flat(*(leaf(f"k{at}") for at in range(9)))
    new = flat(
        *(leaf(f"k{at}") for at in range(6)),
        leaf("k6", requirements="another thing"),
        leaf("k7", weight=4),
        leaf("new"),
    )
    first = run(old, MET | {"k1": 0, "k2": None, "k4": None, "k8": 0})
    second = run(new, MET | {"k0": 0, "k3": None, "k4": None, "k5": 0.5, "new": 0})
    found = compare(first, second)
    assert kinds(found) == {
        "up": 1,
        "down": 1,
        "became_gradeable": 1,
        "became_ungradeable": 1,
        "open": 1,
        "part": 1,
        "text_changed": 1,
        "weight_changed": 1,
        "removed": 1,
        "added": 1,
    }
    assert len(found.leaves) == 10
    points = [row.points for row in found.kinds if row.points is not None]
    assert sum(points) == pytest.approx(found.gap.value)
    assert [abs(one.points or 0) for one in found.changes] == sorted(
        (abs(one.points or 0) for one in found.changes), reverse=True
    )


def test_a_renamed_leaf_is_found_by_its_text() -> None:
    old = flat(leaf("a"), leaf("b"))
    new = flat(leaf("z", requirements="what  a asks"), leaf("b"))
    assert align(old, new).match == {"root": "root", "a": "z", "b": "b"}
    found = compare(run(old, {"a": 0, "b": 1}), run(new, {"z": 1, "b": 1}))
    assert kinds(found) == {"same": 1, "up": 1}


def test_a_text_that_stands_twice_names_nobody() -> None:
    old = flat(leaf("a", requirements="same"), leaf("b", requirements="same"))
    new = flat(leaf("c", requirements="same"), leaf("d", requirements="same"))
    assert align(old, new).match == {"root": "root"}


def test_the_words_of_kinds_are_those_of_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text()
    rows = [row.split(" | ")[:2] for row in text.splitlines() if row.startswith("| ")]
    told = {kind.strip("`"): words.strip("| ") for words, kind in rows if kind != "`kind`"}
    assert told == KIND_WORDS


def test_exchanged_keys_exchange_nothing() -> None:
    old = flat(leaf("a"), leaf("b"), leaf("c"))
    new = flat(leaf("a", requirements="what b asks"), leaf("b", requirements="what a asks"))
    assert align(old, new).match == {"root": "root", "a": "b", "b": "a"}
    found = compare(run(old, {"a": 1, "b": 0, "c": 0}), run(new, {"a": 0, "b": 1}))
    assert kinds(found) == {"same": 2, "removed": 1}
    other = run(new, {"a": 0, "b": 1}, facts={"task": "renamed"})
    assert kinds(compare(run(old, {"a": 1, "b": 0, "c": 0}), other)) == {"same": 2, "removed": 1}


def test_texts_that_stand_twice_go_by_their_keys() -> None:
    tree = flat(*(leaf(key, requirements="same") for key in "abc"))
    first, second = run(tree, {"a": 1, "b": 0, "c": 0}), run(tree, {"a": 0, "b": 1, "c": 0})
    found = compare(first, second)
    assert kinds(found) == {"same": 1, "up": 1, "down": 1}
    assert found.gap.value == pytest.approx(0)


def test_a_view_without_leaves_has_no_difference() -> None:
    view = TREE.subset(category="Result Analysis")
    found = compare(run(view, {}), run(view, {}))
    assert (found.gap.value, found.leaves, found.kinds) == (None, (), ())
    assert found.gap.why == "no leaf is left to score in one of the runs"
    assert regression(found, 0).undecided == found.gap.why
    json.dumps(comparison_values(found), allow_nan=False)


@pytest.mark.parametrize("missing", ["zero", "renormalise"])
@pytest.mark.parametrize("reason", ["budget", "provider_error", "cancelled"])
def test_a_stopped_run_is_held_against_a_finished_one(missing: str, reason: Any) -> None:
    left = dict.fromkeys(("k5", "k6", "k7"), Grade.ungradeable(reason))
    grades = graded(MET | {"k0": 0}) | left
    stop = Stop("E601", 6, "too dear") if reason == "budget" else None
    stopped = Report(TREE, grades, provenance=FACTS, missing=missing, stopped=stop)  # type: ignore[arg-type]
    for pair in (
        (run(TREE, MET, missing=missing), stopped),
        (stopped, run(TREE, MET, missing=missing)),
    ):
        found = compare(*pair)
        points = [row.points for row in found.kinds if row.points is not None]
        assert sum(points) == pytest.approx(found.gap.value)
        assert not found.gap.is_exact
        assert regression(found, 0).undecided is not None
    said = said_of_holes("A", stopped)
    assert said is not None
    assert said.endswith(f"has 3 leaves that could not be graded (3 {reason})")
    assert ("(too dear)" in said) == (reason == "budget")
    assert comparison_values(found)["a"]["holes"] == said


def test_a_leaf_that_moved_asks_for_something_else() -> None:
    def tree(under: str) -> Rubric:
        pairs = [(None, group("root")), *(("root", group(key)) for key in "gh")]
        return Rubric.build([*pairs, ("g", leaf("a")), ("h", leaf("b")), (under, leaf("m"))])

    scores: dict[str, float | None] = {"a": 0, "b": 1, "m": 1}
    found = compare(run(tree("g"), scores), run(tree("h"), scores))
    assert kinds(found) == {"same": 2, "text_changed": 1}
    assert found.gap.value == pytest.approx(-25)
    assert [(one.a, one.b) for one in found.changes] == [("m", "m")]


def test_below_full_coverage_the_difference_is_a_range() -> None:
    found = compare(run(TREE, MET | {"k0": None}), run(TREE, MET | {"k0": 0, "k1": None}))
    assert [found.gap.low, found.gap.high] == pytest.approx([-25, 0])
    assert found.gap.value == pytest.approx(-12.5)
    assert not found.gap.is_exact
    assert compare(run(TREE, MET), run(TREE, MET)).gap.is_exact


def test_what_has_no_score_has_no_difference() -> None:
    nothing = Report(TREE, dict.fromkeys(MET, Grade.not_applicable()), provenance=FACTS)
    found = compare(run(TREE, MET), nothing)
    assert found.gap.value is None
    assert found.gap.why == "no leaf is left to score in one of the runs"
    assert all(row.points is None for row in found.kinds)
    json.dumps(comparison_values(found), allow_nan=False)


OTHER = flat(*(leaf(f"k{at}", requirements=f"other {at}") for at in range(8)))


@pytest.mark.parametrize(
    ("second", "code", "word"),
    [
        (run(OTHER, MET, facts={"task": "u"}), "E571", OTHER.sha256[:12]),
        (run(TREE, MET, facts={"mode": "code only"}), "E572", "'code only'"),
        (run(TREE, MET, missing="renormalise"), "E573", TREE.sha256[:12]),
    ],
)
def test_what_is_unlike_is_refused(second: Report, code: str, word: str) -> None:
    with pytest.raises(RunError) as caught:
        compare(run(TREE, MET), second)
    assert caught.value.code == code
    assert word in f"{caught.value.message} {caught.value.looked}"
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("task", ["t", "renamed"])
def test_an_edition_of_the_rubric_is_compared(task: str) -> None:
    edition = flat(*(leaf(f"k{at}") for at in range(5)), leaf("new"))
    scores = dict.fromkeys(edition.leaves(), 1.0)
    found = compare(run(TREE, MET), run(edition, scores, facts={"task": task}))
    assert {one.name for one in found.unlike} == {"rubric"} | ({"task"} if task != "t" else set())


def test_another_submission_or_judge_is_told() -> None:
    judge = {"name": "k", "fingerprint": "e" * 64, "card": {"model": {"name": "m"}}}
    facts = {"judge": judge, "submission": "s", "execution": "garbled"}
    found = compare(run(TREE, MET), run(TREE, MET, facts=facts))
    assert {one.name for one in found.unlike} == {"judge", "model", "submission"}
    assert not found.same_judge


def test_values_hold_what_the_comparison_says() -> None:
    found = compare(run(TREE, MET, run="runs/a/"), run(TREE, MET | {"k0": 0}, run="runs/b"))
    values = json.loads(json.dumps(comparison_values(found), allow_nan=False))
    assert (values["a"]["id"], values["b"]["id"]) == ("a", "b")
    assert values["gap"]["value"] == found.gap.value
    assert [row["points"] for row in values["kinds"]] == [row.points for row in found.kinds]
    (change,) = values["changes"]
    assert (change["a"]["verdict"], change["b"]["verdict"]) == ("met", "not met")
    assert change["b"]["explanation"] == "k0: why"
    assert change["b"]["path"] == ["what root asks"]
