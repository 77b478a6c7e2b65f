"""The table of judges: who is ranked against whom, and what always stands beside them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.judgeeval import (
    Evaluation,
    LeafSet,
    Row,
    Sample,
    agreement,
    baselines,
    doubts,
    estimates,
    submission_differences,
    table_of,
)
from tests.judgeeval.judged import LABELS, Case, evaluation, wrong_on

ALWAYS = {"always met", "always not met", "coin", "category majority"}


def rows_of(*evaluations: Evaluation) -> dict[str, Row]:
    """Rows by name of a table with one leaf set."""
    (leaves,) = table_of(evaluations).leaf_sets
    return {row.name: row for row in leaves.rows}


def codes(*evaluations: Evaluation) -> list[str]:
    """Codes of the table's warnings."""
    return [warning.code for warning in doubts(table_of(evaluations))]


def graded_only(wanted: set[int]) -> dict[str, Case]:
    """Cases whose judge is right on these leaves, and grades no others."""
    return {
        case: (own, [y if i in wanted else None for i, y in enumerate(own)])
        for case, own in LABELS.items()
    }


def test_a_row_holds_what_the_statistics_say() -> None:
    judged = evaluation("a", wrong_on([1, 4]))
    row = rows_of(judged)["a"]
    assert row.agreement == agreement(judged.pairs, roots=judged.roots)
    assert row.intervals == estimates(judged.pairs)
    assert row.rank == 1


def test_baselines_always_stand_beside_judges() -> None:
    judged = evaluation("a", wrong_on([1]))
    rows = rows_of(judged)
    assert set(rows) == {"a"} | ALWAYS
    for name, known in baselines(judged.pairs).items():
        assert rows[name].agreement.pooled.headline == known.pooled
        assert rows[name].agreement.pooled.by_worth == known.by_worth
        means = {figure: mean.value for figure, mean in rows[name].agreement.means.items()}
        assert means == known.means
        assert rows[name].agreement.cost.per_submission == 0


def test_rows_stand_by_f1_and_equals_share_a_rank() -> None:
    judges = [evaluation(name, wrong_on(places)) for name, places in
              (("c", [1, 2, 4]), ("a", [1]), ("b", [1]))]  # fmt: skip
    rows = rows_of(*judges)
    assert [(rows[name].rank) for name in "abc"] == [1, 1, 3]
    known = [row.f1 for row in rows.values() if row.f1 is not None]
    assert known == sorted(known, reverse=True)


def test_grading_only_the_easy_half_gains_nothing() -> None:
    half = evaluation("half", graded_only({0, 1, 2, 3, 4}))
    whole = evaluation("whole", wrong_on([7, 9]))
    rows = rows_of(half, whole)
    assert rows["half"].agreement.pooled.graded.f1 == 1.0
    assert (rows["whole"].rank, rows["half"].rank) == (1, 2)


@given(st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
@settings(max_examples=15, deadline=None)
def test_leaving_leaves_out_never_lifts_a_judge_above_itself(
    wrong: set[int], left_out: set[int]
) -> None:
    cases = wrong_on(sorted(wrong))
    holes = {
        case: (own, [None if i in left_out else r for i, r in enumerate(said)])
        for case, (own, said) in cases.items()
    }
    rows = rows_of(evaluation("holes", holes), evaluation("whole", cases))
    whole, part = rows["whole"].rank, rows["holes"].rank
    assert whole is not None
    assert part is not None
    assert whole <= part
    errors = [rows[name].agreement.root.mae or 0.0 for name in ("whole", "holes")]
    assert errors[0] <= errors[1] + 1e-12


def crashed(*, kept_root: bool) -> Evaluation:
    """A judge that is right wherever it did not crash."""
    cases = wrong_on([])
    cases["b"] = (LABELS["b"], [None] * len(LABELS["b"]))
    facts = {"b": {"trouble": "E301 it broke"} | ({} if kept_root else {"root": None})}
    return evaluation("crashed", cases, facts=facts)


@pytest.mark.parametrize("kept_root", [True, False])
def test_a_crash_on_one_submission_is_a_hole_and_no_better_mean(kept_root: bool) -> None:
    rows = rows_of(crashed(kept_root=kept_root), evaluation("whole", wrong_on([7])))
    hole = rows["crashed"].agreement
    assert hole.submissions["b"].headline.f1 == 0
    assert hole.submissions["b"].graded.f1 is None
    assert hole.means["f1"].n == 3
    assert hole.means["f1"].value == pytest.approx(2 / 3)
    assert hole.root.n == 3
    assert hole.root.largest == pytest.approx(0.5)
    assert rows["crashed"].rank == 2


def test_judges_on_other_leaves_are_not_ranked_together() -> None:
    first, second = evaluation("all", wrong_on([1, 4])), evaluation("one", {"a": wrong_on([])["a"]})
    one, other = table_of([first, second]).leaf_sets
    assert (one.judges[0].rank, other.judges[0].rank) == (1, 1)
    assert one.unlike == ()
    assert "only 'all' was measured on 18 leaves" in other.unlike[0]
    assert codes(first, second)[0] == "W411"


def test_other_labels_make_another_leaf_set() -> None:
    labels = LABELS | {"a": [0.0, *LABELS["a"][1:]]}
    found = table_of([evaluation("x", wrong_on([])), evaluation("y", wrong_on([], labels))])
    assert "another label" in found.leaf_sets[1].unlike[0]


def without_leaves_of(case: str) -> Evaluation:
    """An evaluation whose file of leaves was cut off."""
    whole = evaluation("cut", wrong_on([1]))
    return whole.model_copy(
        update={"leaves": tuple(leaf for leaf in whole.leaves if leaf.case != case)}
    )


@pytest.mark.parametrize(
    ("unfinished", "why"),
    [
        (evaluation("part", wrong_on([1]), complete=False), "still to be judged"),
        (without_leaves_of("c"), "leaves of 'c' are missing"),
    ],
)
def test_what_is_not_complete_is_not_ranked(unfinished: Evaluation, why: str) -> None:
    (leaves,) = table_of([unfinished]).leaf_sets
    (judge,) = leaves.judges
    assert judge.rank is None
    assert judge.unranked is not None
    assert why in judge.unranked
    assert leaves.rows[-1] is judge
    assert "W412" in codes(unfinished)


def test_a_sample_says_so_and_has_no_root_scores() -> None:
    sampled = evaluation("s", wrong_on([1]), sample=Sample(size=30, of=90, seed=3))
    rows = rows_of(sampled)
    assert {row.agreement.root.mae for row in rows.values()} == {None}
    assert "sample" in (rows["s"].agreement.root.why or "")
    assert "W413" in codes(sampled)


def test_humans_stand_in_the_table_as_judges() -> None:
    flipped = [1 - y for y in LABELS["a"]]
    judged = evaluation(
        "j", {"a": wrong_on([])["a"]}, others={"bea": LABELS["a"], "cy": flipped[:5]}
    )
    rows = rows_of(judged)
    assert rows["human bea vs ana"].f1 == 1.0
    assert rows["human bea vs ana"].agreement.root.mae == 0
    assert rows["human bea vs ana"].unranked is None
    assert rows["human cy vs ana"].f1 == rows["human cy vs bea"].f1 == 0.0
    assert rows["human cy vs ana"].unranked == "5 of 12 labelled leaves have both verdicts"
    assert rows["human cy vs ana"].agreement.root.mae is None


@pytest.mark.parametrize(("owner", "kept"), [("ana", 3), ("gold", 1), ("bea", 1)])
def test_nobody_is_held_against_labels_made_of_their_own(owner: str, kept: int) -> None:
    others = {"bea": LABELS["a"], "cy": [1 - y for y in LABELS["a"]]}
    facts = {"a": {"annotator": owner}}
    judged = evaluation("j", {"a": wrong_on([])["a"]}, others=others, facts=facts)
    (leaves,) = table_of([judged]).leaf_sets
    humans = [row.name for row in leaves.rows if row.kind == "human"]
    assert len(humans) == kept
    assert "human cy vs bea" in humans
    assert f"human bea vs {owner}" not in humans or owner == "ana"
    assert leaves.made_gold == (("bea", "cy") if owner == "gold" else ())


def test_rows_against_an_owner_leave_out_cases_whose_labels_are_their_own() -> None:
    cases = wrong_on([])
    judged = evaluation(
        "j", cases, others={"bea": LABELS["a"][:8]}, facts={"b": {"annotator": "gold"}}
    )
    row = rows_of(judged)["human bea vs ana"]
    assert set(row.agreement.submissions) == {"a", "c"}
    assert row.agreement.root.mae is None


def test_the_fullest_labels_of_an_annotator_are_taken() -> None:
    cases = {"a": wrong_on([])["a"]}
    few = evaluation("few", cases, others={"bea": LABELS["a"][:3]})
    rows = rows_of(few, evaluation("many", cases, others={"bea": LABELS["a"]}))
    assert rows["human bea vs ana"].unranked is None


def test_baselines_follow_rubrics_that_aggregate_otherwise() -> None:
    plain = evaluation("j", wrong_on([]))
    root = plain.cases[0].root
    assert root is not None
    other = root.model_copy(update={"human": 0.25, "low": 0.25, "high": 0.25})
    facts = {"a": {"root": other, "weighted_mean": False}}
    rows = rows_of(evaluation("j", wrong_on([]), facts=facts))
    met = {one.submission: one for one in rows["always met"].agreement.root.roots}
    assert (met["a"].human, met["a"].low) == (0.25, 1.0)
    assert rows["category majority"].agreement.root.mae is None


def test_names_that_stand_twice_are_numbered() -> None:
    same = [evaluation(name, wrong_on([1])) for name in ("x", "x", "coin")]
    assert [row.name for row in table_of(same).leaf_sets[0].judges] == ["x", "x #2", "coin #2"]


def test_a_judge_that_was_asked_again_is_held_against_itself() -> None:
    twice = [evaluation("x", wrong_on(places)) for places in ([1], [1, 2])]
    repeats = table_of([*twice, evaluation("y", wrong_on([]))]).leaf_sets[0].repeats
    assert repeats[("x", "x #2")].agreement == pytest.approx(27 / 30)
    assert len(repeats) == 1


def test_the_front_leaves_out_what_has_no_price() -> None:
    judges = [
        evaluation("dear", wrong_on([1]), usd=5.0),
        evaluation("cheap", wrong_on([1, 2]), usd=1.0),
        evaluation("beaten", wrong_on([1, 2, 3]), usd=2.0),
        evaluation("unpriced", wrong_on([])),
    ]
    found: LeafSet = table_of(judges).leaf_sets[0]
    assert [one.judge for one in found.front] == ["cheap", "dear"]


@pytest.mark.parametrize(
    ("judged", "code"),
    [
        (evaluation("x", {"a": wrong_on([])["a"], "b": ([1.0, 0.0], [1.0, 0.0])}), "W415"),
        (evaluation("x", wrong_on(list(range(12)))), "W416"),
        (evaluation("x", {k: (v, [1.0] * len(v)) for k, v in LABELS.items()}), "W417"),
        (evaluation("x", {"a": ([1.0] * 4, [1.0, 1.0, 1.0, 0.0])}), "W418"),
        (evaluation("x", {"a": ([None] * 4, [1.0] * 4)}), "W418"),
        (evaluation("x", wrong_on([1]), facts={"a": {"trouble": "E601 budget"}}), "W414"),
    ],
)
def test_what_a_reader_should_know(judged: Evaluation, code: str) -> None:
    assert code in codes(judged)


def test_a_good_judge_on_even_submissions_raises_no_doubt() -> None:
    assert codes(evaluation("x", wrong_on([1]))) == []


def test_differences_by_submission() -> None:
    first, second = evaluation("x", wrong_on([])), crashed(kept_root=True)
    found = {row.submission: row for row in submission_differences(first.pairs, second.pairs)}
    assert {name: row.difference for name, row in found.items()} == {"a": 0, "b": 1, "c": 0}
    assert found["b"].ungraded == (0, 10)
    assert found["b"].leaves == 10


def opened(reasons: dict[int, str], **more: object) -> Evaluation:
    """A judge that is right, and leaves these leaves of every case open for these reasons."""
    judged = evaluation("x", graded_only(set(range(12)) - set(reasons)), **more)  # type: ignore[arg-type]
    leaves = (
        leaf if leaf.score is not None else leaf.model_copy(update={"reason": reason})
        for leaf in judged.leaves
        for reason in [reasons.get(int(leaf.key.removeprefix("leaf-")))]
    )
    return judged.model_copy(update={"leaves": tuple(leaves)})


def test_holes_are_counted_by_reason() -> None:
    row = rows_of(opened({0: "not_run", 1: "not_run", 2: "needs_model", 3: "infra"}))["x"]
    assert {name: hole.leaves for name, hole in row.holes.items()} == {
        "not_run": 6, "needs_model": 3, "infra": 3,
    }  # fmt: skip
    worths = sum(hole.worth for hole in row.holes.values())
    assert worths == pytest.approx(1 - row.agreement.pooled.coverage.worth)


@pytest.mark.parametrize(
    ("reason", "more", "wanted"),
    [
        ("not_run", {}, {"W422"}),
        ("not_run", {"sandbox": "local"}, set()),
        ("needs_model", {}, set()),
        ("infra", {}, {"W416"}),
    ],
)
def test_what_nobody_tried_is_no_fault_of_the_judge(
    reason: str, more: dict[str, object], wanted: set[str]
) -> None:
    assert set(codes(opened(dict.fromkeys(range(2, 12), reason), **more))) == wanted


def test_a_judge_that_is_wrong_is_blamed_all_the_same() -> None:
    cases = {k: (y, [None, *(1 - v for v in y[1:])]) for k, y in LABELS.items()}
    judged = evaluation("x", cases)
    leaves = (
        leaf if leaf.score is not None else leaf.model_copy(update={"reason": "not_run"})
        for leaf in judged.leaves
    )
    assert "W416" in codes(judged.model_copy(update={"leaves": tuple(leaves)}))


def test_what_no_judge_can_reach_is_known() -> None:
    cases = {"a": ([1.0] * 4, [1.0] * 4), "b": wrong_on([])["b"]}
    (leaves,) = table_of([evaluation("x", cases)]).leaf_sets
    perfect = leaves.judges[0].agreement.means["f1"].value
    assert (leaves.highest_mean, leaves.one_class) == (perfect, ("a",)) == (0.75, ("a",))


def test_what_a_judge_was_not_given_is_told() -> None:
    facts = {name: {"notes": ("no paper",)} for name in "ab"}
    found = doubts(table_of([evaluation("x", wrong_on([1]), facts=facts)]))
    assert [one for one in found if one.code == "W421"] == [("W421", "x: no paper ('a', 'b')")]
