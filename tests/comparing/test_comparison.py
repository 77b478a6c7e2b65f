"""Two runs, leaf by leaf: what happened, what is refused, and what is noise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.comparing import (
    KIND_WORDS,
    Comparison,
    compare,
    comparison_values,
    regression,
    said_of_flips,
    said_of_holes,
    said_of_test,
)
from rubric_engine.comparing.aligning import align
from rubric_engine.criterion import Criterion
from rubric_engine.errors import RunError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval import mcnemar
from rubric_engine.result import Report, Stop
from rubric_engine.rubric import Rubric
from tests.comparing.editions import graded
from tests.strategies import flat, group, leaf

FACTS = {"task": "t", "mode": "full", "judge": {"name": "j", "fingerprint": "f" * 64}}


def run(rubric: Rubric, scores: Mapping[str, float | None], **more: Any) -> Report:
    """A run with these scores."""
    facts = FACTS | {"submission_sha256": "5" * 64} | more.pop("facts", {})
    return Report(rubric, graded(scores), provenance=facts, **more)


TREE = flat(*(leaf(f"k{at}") for at in range(8)))
MET: dict[str, float | None] = dict.fromkeys(TREE.leaves(), 1.0)


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


def test_a_lost_grade_is_none_of_a_judges_own_noise() -> None:
    (rate,) = compare(run(TREE, MET), run(TREE, MET | {"k0": None})).flip_rates
    assert (rate.leaves, rate.rate, rate.points) == (7, 0, None)


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


@pytest.mark.parametrize(
    ("second", "limit", "failed", "undecided"),
    [
        ({"k0": 0}, 12.5, False, False),
        ({"k0": 0}, 12.4, True, False),
        ({"k0": 0, "k1": None}, 50, False, True),
        ({}, 0, False, False),
    ],
)
def test_a_regression_is_held_from_low_end_to_low_end(
    second: dict[str, float | None], limit: float, failed: bool, undecided: bool
) -> None:
    found = regression(compare(run(TREE, MET), run(TREE, MET | second)), limit)
    assert (found.failed, found.undecided is not None) == (failed, undecided)
    if undecided:
        assert found.undecided == "B has 1 leaf that could not be graded (1 refused)"


def test_what_nobody_was_asked_about_is_no_regression() -> None:
    def rules(scores: Mapping[str, float | None]) -> Report:
        report = run(TREE, scores)
        unasked = {"k7": Grade.ungradeable("needs_model")}
        return Report(TREE, {**report.grades, **unasked}, provenance=FACTS)

    found = regression(compare(rules(MET), rules(MET)), 0)
    assert (found.fell, found.failed, found.undecided) == (0, False, None)
    stopped = run(TREE, MET, stopped=Stop("E601", 6, "too dear"))
    assert regression(compare(stopped, run(TREE, MET)), 0).undecided == (
        "A was stopped before every leaf was asked about (too dear)"
    )


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
