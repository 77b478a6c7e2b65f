"""`judgeeval report`: the table of judges as a reader sees it."""

from __future__ import annotations

import pytest

from rubric_engine.judgeeval import JudgeIdentity, Sample
from tests.cli.conftest import Command
from tests.cli.saving import NONE, Save, cells, saved
from tests.judgeeval.judged import LABELS, evaluation, wrong_on

__all__ = ["saved"]


def test_judges_stand_by_f1_among_what_needs_no_model(command: Command, saved: Save) -> None:
    folder = saved(evaluation("poor", wrong_on([1, 4, 5])), evaluation("good", wrong_on([1])))
    done = command("judgeeval", "report", folder)
    assert done.code == 0
    order = [
        line.split("  ")[0] for line in done.out.split("\n\n")[1].splitlines()[2:] if "  " in line
    ]
    assert order[:2] == ["good", "poor"]
    assert set(order[2:]) == {
        "(always met)", "(always not met)", "(coin)", "(category majority)",
    }  # fmt: skip
    assert "3 submissions, 30 leaves with a label in 15 groups, 46.7% of them met" in done.out
    assert f"judgeeval compare {folder / '1'} {folder / '0'}" in done.out
    assert max(map(len, done.out.split("\n- ")[0].splitlines())) <= 80


def test_both_intervals_stand_with_what_they_speak_about(command: Command, saved: Save) -> None:
    done = command("judgeeval", "report", saved(evaluation("good", wrong_on([1, 4]))))
    head = done.out.splitlines()[2]
    assert head.split() == ["judge", "cover", "F1", "these", "mean", "new", "err", "$/sub"]
    first = cells(done.out, "good")[0]
    assert first[0] == "100.0%"
    assert first[-1] == "unpriced"
    assert "these submissions" in done.out
    assert "new submissions" in done.out


def test_grading_the_easy_half_does_not_rank_above_grading_all(
    command: Command, saved: Save
) -> None:
    half = {
        name: (own, [y if i < len(own) / 2 else None for i, y in enumerate(own)])
        for name, own in LABELS.items()
    }
    done = command(
        "judgeeval", "report", saved(evaluation("half", half), evaluation("all", wrong_on([1, 7])))
    )
    assert done.out.index("\nall ") < done.out.index("\nhalf ")
    assert cells(done.out, "half")[0][0] == "50.0%!"
    assert "! half gave no grade to 15 of 30 leaves, 50.0% of the worth" in done.out
    assert "count as wrong (F1 1.00 without them)" in done.out


@pytest.mark.parametrize(
    ("models", "why"),
    [((), "15 without a check"), (("some",), "15 on a scale that its model does not take")],
)
def test_leaves_that_nobody_tried_say_why_of_this_judge(
    command: Command, saved: Save, models: tuple[str, ...], why: str
) -> None:
    half = {
        name: (own, [y if i < len(own) / 2 else None for i, y in enumerate(own)])
        for name, own in LABELS.items()
    }
    found = evaluation("half", half, judge=JudgeIdentity(name="h", fingerprint="f", models=models))
    leaves = tuple(
        leaf.model_copy(update={"reason": "needs_model"}) if leaf.reason else leaf
        for leaf in found.leaves
    )
    done = command("judgeeval", "report", saved(found.model_copy(update={"leaves": leaves})))
    assert why in " ".join(done.out.split())


def test_a_crash_on_one_submission_is_a_visible_hole(command: Command, saved: Save) -> None:
    cases = wrong_on([]) | {"b": NONE["b"]}
    facts = {"b": {"trouble": "E301 \x1b[31mit broke"}}
    folder = saved(evaluation("crashes", cases, facts=facts), evaluation("works", wrong_on([7])))
    done = command("judgeeval", "report", folder, "--by", "submission")
    assert done.out.index("\nworks ") < done.out.index("\ncrashes ")
    by_case = cells(done.out, "crashes")[3:]
    assert [row[1] for row in by_case] == ["1.00", "0.00!", "1.00"]
    assert "warning W414  crashes had trouble on 'b': E301 \\u{1b}[31mit broke" in done.out
    mean = cells(done.out, "crashes")[0][3]
    assert mean == "0.67"


def test_other_leaves_are_told_and_not_ranked_together(command: Command, saved: Save) -> None:
    folder = saved(evaluation("all", wrong_on([1])), evaluation("one", {"a": wrong_on([1])["a"]}))
    done = command("judgeeval", "report", folder)
    assert "other labelled leaves than above, so not ranked against it:" in done.out
    assert "only 'all' was measured on 18 leaves" in done.out
    assert "warning W411" in done.out
    assert "judgeeval compare" not in done.out


def test_what_is_not_complete_is_told_and_stands_last(command: Command, saved: Save) -> None:
    again = "rubric-engine judgeeval run --judge part"
    folder = saved(evaluation("part", wrong_on([]), complete=False, command=again))
    done = command("judgeeval", "report", folder)
    assert "W412" in [
        one["code"] for one in command("judgeeval", "report", folder, "--json").json["warnings"]
    ]
    assert done.out.count("still to be judged") == 1
    assert f"next    {again}\n" in done.out
    assert "* part is not ranked: still to be judged: 'c'" in done.out
    assert done.out.index("\n(always met)") < done.out.index("\npart ")


def test_one_command_that_goes_on_with_several_is_named_once(command: Command, saved: Save) -> None:
    again = "rubric-engine judgeeval run --judge one --judge two"
    parts = [
        evaluation(name, wrong_on([]), complete=False, command=again) for name in ("one", "two")
    ]
    assert command("judgeeval", "report", saved(*parts)).out.count(f"next    {again}") == 1


def test_a_sample_is_told(command: Command, saved: Save) -> None:
    sample = Sample(size=30, of=2693, seed=7)
    done = command(
        "judgeeval", "report", saved(evaluation("s", wrong_on([1]), sample=sample, usd=1.5))
    )
    assert "a sample: 30 of 2,693 labelled leaves (seed 7)" in done.out
    assert "warning W413" in done.out
    assert "$ s: cost of the sample, not of whole submissions" in done.out
    assert "only a sample of the leaves was judged" in done.out


def test_gold_is_held_against_nobody_that_made_it(command: Command, saved: Save) -> None:
    facts = {name: {"annotator": "gold"} for name in LABELS}
    others = {"ada": LABELS["c"], "bo": [1 - y for y in LABELS["c"]]}
    folder = saved(evaluation("x", wrong_on([1]), others=others, facts=facts))
    done = command("judgeeval", "report", folder)
    assert "vs gold" not in done.out
    assert len(cells(done.out, "human bo vs ada")) == 3
    assert "gold is made of labels of ada, bo: no row holds them against it" in done.out


def test_what_no_judge_can_reach_stands_below_the_mean(command: Command, saved: Save) -> None:
    cases = {"a": ([1.0] * 4, [1.0] * 4), "b": wrong_on([])["b"]}
    folder = saved(evaluation("x", cases, categories=["Code Development"]))
    out = command("judgeeval", "report", folder, "--by", "submission").out
    words = "labels of one class only on 1 of 2 submissions: no judge's mean can pass 0.75"
    assert words in out
    assert "a: 4 leaves with a label, 100.0% of them met (F1 at most 0.50)" in out
    (leaves,) = command("judgeeval", "report", folder, "--json").json["leaf_sets"]
    assert (leaves["highest_mean"], leaves["one_class"]) == (0.75, ["a"])
    alone = evaluation("y", cases, categories=["kind", *["other"] * 13])
    out = command("judgeeval", "report", saved(alone)).out
    assert "labels of one class only on kind: F1 there cannot pass 0.50" in out


def test_open_leaves_are_told_by_reason(command: Command, saved: Save) -> None:
    folder = saved(evaluation("x", NONE))
    assert "(30 provider_error); they count as wrong" in command("judgeeval", "report", folder).out
    (leaves,) = command("judgeeval", "report", folder, "--json").json["leaf_sets"]
    (row,) = [row for row in leaves["rows"] if row["name"] == "x"]
    assert row["holes"] == {"provider_error": {"leaves": 30, "worth": pytest.approx(1.0)}}


def test_a_copy_is_no_judge_that_was_asked_again(command: Command, saved: Save) -> None:
    same = evaluation("x", wrong_on([1]))
    out = command("judgeeval", "report", saved(same, same)).out
    assert "x (0), x (1): the same grades throughout, as copies of a result have" in out
    assert "asked again" not in out
    again = command("judgeeval", "report", saved(same, evaluation("x", wrong_on([1, 4])))).out
    assert "x (0), x (1): one judge, asked again; verdicts agree on 90.0% of 30 leaves" in again


@pytest.mark.parametrize("prices", [(1.0, 1.0), (1.0, None), (5.0, 1.0)])
def test_what_is_best_for_its_price_is_said_where_prices_differ(
    command: Command, saved: Save, prices: tuple[float | None, float | None]
) -> None:
    judges = [evaluation("a, b", wrong_on([1]), usd=prices[0]),
              evaluation("c", wrong_on([1, 2]), usd=prices[1])]  # fmt: skip
    out = command("judgeeval", "report", saved(*judges)).out
    words = "best for their price, dollars a submission: c at $1.00, 'a, b' at $5.00"
    assert (words in out) is (prices[0] == 5.0)
    assert ("best for" in out) is (prices[0] == 5.0)


def test_a_bias_that_is_one_end_of_a_range_is_marked(command: Command, saved: Save) -> None:
    half = {name: (own, [*own[:4], *([None] * (len(own) - 4))]) for name, own in LABELS.items()}
    out = command("judgeeval", "report", saved(evaluation("x", half))).out
    assert cells(out, "x")[2][0].endswith("!")
    assert "! x left scores open: its bias lies between" in out
