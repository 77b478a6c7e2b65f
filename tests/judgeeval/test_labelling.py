"""Plans, gold and agreement of several annotators, as values."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sklearn.metrics import cohen_kappa_score

from rubric_engine.criterion import Criterion
from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.labelling.concord import alphas, concords
from rubric_engine.judgeeval.labelling.gold import gold_of
from rubric_engine.judgeeval.labelling.layout import annotator_name, annotator_names
from rubric_engine.judgeeval.labelling.planning import LabelPlan, planned_leaves
from rubric_engine.judgeeval.labelling.standing import standings
from rubric_engine.judgeeval.labelling.work import disputes, refilled, todo
from rubric_engine.labels import Label, Labels
from rubric_engine.rubric import Rubric
from tests.strategies import leaf

SHORT = {"m": "met", "n": "not_met", "c": "cannot_judge"}


def rubric(*sizes: int) -> Rubric:
    """Groups of leaves; the category of a leaf is its place in its group."""
    root = leaf("root").model_copy(update={"task_category": None})
    rows: list[tuple[str | None, Criterion]] = [(None, root)]
    for number, size in enumerate(sizes):
        group = root.model_copy(update={"key": f"g{number}", "requirements": f"group {number}"})
        rows.append(("root", group))
        rows += [
            (f"g{number}", leaf(f"g{number}l{i}", category="ABC"[i % 3], weight=5))
            for i in range(size)
        ]
    return Rubric.build(rows)


def plan(tree: Rubric, *names: str, **how: int) -> LabelPlan:
    """A plan of all leaves for everybody, unless told otherwise."""
    return LabelPlan(
        task="t",
        submission="s",
        rubric_sha256=tree.sha256,
        submission_sha256="5" * 64,
        name="ours",
        seed=how.get("seed", 0),
        overlap=how.get("overlap", 100),
        of=len(tree.leaves()),
        annotators=names,
        leaves=planned_leaves(tree, names, **{"overlap": 100, **how}),
    )


def said(tree: Rubric, **verdicts: str) -> dict[str, Labels]:
    """Labels by annotator, a letter a leaf in document order; a dash is no label."""
    return {
        name: Labels(
            annotator=name,
            labels={
                key: Label.model_validate({"verdict": SHORT[letter], "reason": f"{name} says so"})
                for key, letter in zip(tree.leaves(), letters, strict=True)
                if letter != "-"
            },
        )
        for name, letters in verdicts.items()
    }


def test_a_plan_is_stratified_balanced_seeded_and_in_tree_order() -> None:
    tree = rubric(*[6] * 10)
    made = plan(tree, "a1", "a2", sample=30, overlap=40, seed=3)
    assert made == plan(tree, "a1", "a2", sample=30, overlap=40, seed=3)
    assert made != plan(tree, "a1", "a2", sample=30, overlap=40, seed=4)
    assert Counter(row.category for row in made.leaves) == {"A": 10, "B": 10, "C": 10}
    assert {row.inclusion for row in made.leaves} == {0.5}
    assert sum(len(row.annotators) == 2 for row in made.leaves) == 12
    assert len(made.share("a1")) == len(made.share("a2")) == 12 + 9
    keys = [row.key for row in made.leaves]
    assert keys == [key for key in tree.leaves() if key in keys]


def test_each_leaf_of_a_category_is_drawn_equally_often() -> None:
    tree = rubric(6, 6)
    drawn = Counter(
        row.key for seed in range(300) for row in planned_leaves(tree, ["a"], sample=6, seed=seed)
    )
    assert set(drawn) == set(tree.leaves())
    assert all(110 < count < 190 for count in drawn.values())


@given(
    sizes=st.lists(st.integers(1, 7), min_size=1, max_size=5),
    sample=st.integers(1, 40),
    overlap=st.integers(0, 100),
)
def test_leaves_drawn_and_leaves_shared_stand_for_the_rubric_without_weights(
    sizes: list[int], sample: int, overlap: int
) -> None:
    tree = rubric(*sizes)
    made = plan(tree, "a1", "a2", sample=sample, overlap=overlap)
    every = Counter(tree[key].task_category for key in tree.leaves())
    drawn = Counter(row.category for row in made.leaves)
    both = Counter(row.category for row in made.leaves if len(row.annotators) == 2)
    for name, size in every.items():
        share = size / len(tree.leaves())
        assert abs(drawn[str(name)] - share * len(made.leaves)) < 1
        assert abs(both[str(name)] - drawn[str(name)] / len(made.leaves) * both.total()) < 1
    assert all(row.inclusion == drawn[row.category] / every[row.category] for row in made.leaves)


def test_work_files_show_texts_and_nothing_that_sways() -> None:
    tree = rubric(2)
    (first, _) = todo(tree, plan(tree, "a1"), "a1")
    assert first["path"] == ["what root asks", "group 0"]
    assert (first["requirement"], first["verdict"]) == ("what g0l0 asks", None)
    assert first["annotator"] == "a1"
    assert first["submission"] == "555555555555 ours"
    assert not {"weight", "worth", "grade", "score", "inclusion"} & first.keys()


def test_gold_takes_what_all_agree_on_and_what_is_decided() -> None:
    tree = rubric(6)
    made = plan(tree, "a1", "a2")
    labels = said(tree, a1="mmnc-m", a2="mnnmmm")
    gold = gold_of(made, labels, [])
    assert set(gold.labels.labels) == {"g0l0", "g0l2", "g0l5"}
    assert set(gold.disputed) == {"g0l1", "g0l3"}
    assert gold.waiting == ("g0l4",)
    assert gold.labels.labels["g0l0"].votes == {"a1": "met", "a2": "met"}
    decided = gold_of(made, labels, said(tree, a3="-n----").values())
    label = decided.labels.labels["g0l1"]
    assert (label.verdict, label.annotator) == ("not_met", "a3")
    assert label.votes == {"a1": "met", "a2": "not_met"}
    assert set(decided.disputed) == {"g0l3"}


def test_a_label_made_with_the_judge_in_sight_is_no_gold() -> None:
    tree = rubric(1)
    seen = Labels(annotator="a1", labels={"g0l0": Label(verdict="met", blind=False)})
    gold = gold_of(plan(tree, "a1"), {"a1": seen}, [])
    assert (gold.waiting, gold.seen) == (("g0l0",), 1)


def test_a_decision_made_with_the_judge_in_sight_is_no_gold() -> None:
    tree = rubric(2)
    made, labels = plan(tree, "a1", "a2"), said(tree, a1="mm", a2="nn")
    seen = Labels(
        annotator="a3", labels=dict.fromkeys(tree.leaves(), Label(verdict="met", blind=False))
    )
    gold = gold_of(made, labels, [seen])
    assert (gold.labels.labels, set(gold.disputed), gold.seen) == ({}, {"g0l0", "g0l1"}, 2)
    blind = said(tree, a4="n-")["a4"]
    both = gold_of(made, labels, [seen, blind])
    assert {key: label.annotator for key, label in both.labels.labels.items()} == {"g0l0": "a4"}


def test_scores_that_differ_within_a_verdict_are_averaged() -> None:
    tree = rubric(1)
    labels = {
        name: Labels(annotator=name, labels={"g0l0": Label(verdict="met", score=score)})
        for name, score in (("a1", 0.5), ("a2", 1.0))
    }
    gold = gold_of(plan(tree, "a1", "a2"), labels, [])
    assert gold.labels.labels["g0l0"].score == 0.75


def test_an_adjudicator_cannot_tell_who_said_what() -> None:
    tree = rubric(*[3] * 20)
    made = plan(tree, "a1", "a2")
    labels = said(tree, a1="m" * 60, a2="n" * 60)
    plain = {"a1": "one word", "a2": "another"}
    masked = {
        name: Labels(
            annotator=name,
            labels={
                key: row.model_copy(update={"reason": plain[name]})
                for key, row in each.labels.items()
            },
        )
        for name, each in labels.items()
    }
    rows = list(disputes(tree, made, gold_of(made, masked, []).disputed, "a3"))
    assert len(rows) == 60
    firsts = Counter(row["opinions"]["A"]["reason"] for row in rows)
    assert min(firsts.values()) > 15
    assert '"a1"' not in json.dumps(rows)


@given(
    letters=st.lists(
        st.tuples(st.sampled_from("mmnc-"), st.sampled_from("mmnc-")), min_size=6, max_size=6
    )
)
def test_figures_are_those_of_scikit_learn_and_the_same_both_ways_round(
    letters: list[tuple[str, str]],
) -> None:
    tree = rubric(3, 3)
    labels = said(tree, a1="".join(a for a, _ in letters), a2="".join(b for _, b in letters))
    row = concords(plan(tree, "a1", "a2"), labels, replicates=20)[-1]
    back = concords(plan(tree, "a2", "a1"), labels, replicates=20)[-1]
    names = ("both", "cannot_judge", "agree", "kappa", "ac1", "positive", "negative")
    for name in names:
        assert getattr(row, name) == pytest.approx(getattr(back, name))
    judged = [(a, b) for a, b in letters if {a, b} <= {"m", "n"}]
    lost = [pair for pair in letters if "c" in pair and "-" not in pair]
    assert (row.both, row.cannot_judge) == (len(judged), len(lost))
    assert all((getattr(row, name) is None) == (name in row.why) for name in names[2:])
    first, second = [a for a, _ in judged], [b for _, b in judged]
    if len(set(first)) == len(set(second)) == 2:
        assert row.kappa == pytest.approx(cohen_kappa_score(first, second))
    else:
        assert row.kappa is None


def test_agreement_with_a_rare_verdict_by_hand() -> None:
    tree = rubric(*[3] * 10)
    labels = said(tree, a1="mm" + "n" * 28, a2="mn" + "n" * 28)
    row = concords(plan(tree, "a1", "a2"), labels)[-1]
    assert row.agree == pytest.approx(29 / 30)
    assert row.positive == pytest.approx(2 / 3)
    assert row.negative == pytest.approx(56 / 57)
    assert row.ac1 is not None
    assert row.kappa is not None
    assert row.ac1 > 0.95 > row.kappa


def test_a_missing_interval_speaks_of_annotators_and_not_of_a_truth() -> None:
    tree = rubric(*[3] * 4)
    labels = said(tree, a1="mmmmmmmmmnnm", a2="mmmmmmmmmnmn")
    row = concords(plan(tree, "a1", "a2"), labels)[-1]
    assert row.kappa is not None
    assert row.interval.low is None
    assert row.interval.why is not None
    assert row.interval.why.endswith("of the resamples one of them gave one verdict only")


def test_of_three_annotators_each_two_are_compared_and_alpha_takes_all() -> None:
    tree = rubric(3, 3)
    labels = said(tree, a1="mmnnmn", a2="mmnnnc", a3="mm----")
    made = plan(tree, "a1", "a2", "a3")
    whole = [row for row in concords(made, labels, replicates=20) if row.category is None]
    assert [row.annotators for row in whole] == [("a1", "a2"), ("a1", "a3"), ("a2", "a3")]
    assert [row.both for row in whole] == [5, 2, 2]
    alpha = alphas(made, labels)[-1]
    assert (alpha.category, alpha.leaves) == (None, 5)
    # Coincidences by hand: 12 values, 7 met; one leaf with one disagreement.
    assert alpha.alpha == pytest.approx(1 - 11 * 1 / (7 * 5))


def test_how_far_everybody_is() -> None:
    tree = rubric(4)
    timed = {
        key: Label(verdict="met", seconds=seconds, flag="twice in the rubric")
        for key, seconds in zip(tree.leaves(), (10, 30), strict=False)
    }
    labels = {"a1": Labels(annotator="a1", labels=timed), **said(tree, a2="cccc")}
    first, second = standings(plan(tree, "a1", "a2"), labels)
    assert (first.done, first.assigned, first.median_seconds, first.seconds_left) == (2, 4, 20, 40)
    assert first.flags == ("g0l0", "g0l1")
    assert (second.done, second.cannot_judge, second.seconds_left) == (4, 4, 0)
    assert second.median_seconds is None


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "", ".", "..", "-a", "gold", "PLAN", "todo-a", "a\0", "a b", "x" * 60,
             "e\u0301"],
)  # fmt: skip
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no name for an annotator"):
        annotator_name(name)


def test_names_in_a_list() -> None:
    assert annotator_names("a1, 张三,b.c-d_e") == ("a1", "张三", "b.c-d_e")
    for text in (",", "a1,A1"):
        with pytest.raises(UsageError):
            annotator_names(text)


WORDS = st.text("xy", max_size=2)


@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=6), st.integers(0, 6))
def test_a_work_file_written_again_loses_nothing_that_was_written(
    begun: list[tuple[str, bool]], still: int
) -> None:
    tree = rubric(6)
    made = plan(tree, "a1")
    fresh = list(todo(tree, made, "a1"))
    before = [
        row | {"reason": text} | ({"verdict": "met"} if met else {})
        for row, (text, met) in zip(fresh, begun, strict=False)
    ]
    again = list(refilled(fresh[:still], before))
    assert all(row in again for row in before if row["reason"] or row["verdict"])
    assert {row["key"] for row in again} >= {row["key"] for row in fresh[:still]}
    assert len(again) == len({row["key"] for row in again})
    assert list(refilled(fresh[:still], again)) == again


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"annotators": ["a1", "a1"]}, "annotator 'a1' stands twice"),
        ({"leaves": [0, 0]}, "leaf 'g0l0' stands twice"),
        ({"of": 1}, "2 leaves of 1"),
        ({"overlap": 101}, "less than or equal to 100"),
        ({"rubric_sha256": "x"}, "pattern"),
        ({"inclusion": 1.5}, "less than or equal to 1"),
        ({"leaf": "x"}, "pattern"),
        ({"dealt": ["a9"]}, "leaf 'g0l0' is dealt to others than the annotators"),
        ({"dealt": ["a1", "a1"]}, "leaf 'g0l0' is dealt to others than the annotators"),
        ({"dealt": []}, "at least 1 item"),
    ],
)
def test_a_plan_that_was_changed_by_hand_is_refused(change: dict[str, object], says: str) -> None:
    value = plan(rubric(2), "a1", "a2").model_dump(mode="json")
    rows = value["leaves"]
    for name, changed in change.items():
        if name == "leaves":
            value[name] = [rows[0], rows[0]]
        elif name == "dealt":
            rows[0]["annotators"] = changed
        else:
            (rows[0] if name in rows[0] else value)[name] = changed
    if "annotators" in change:
        value["annotators"] = change["annotators"]
        rows[0] |= {"annotators": ["a1", "a2"]}
    with pytest.raises(ValidationError, match=says):
        LabelPlan.model_validate(value)
