"""`judgeeval report`: the table of judges as a reader sees it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.cli.output import print_json
from rubric_engine.cli.plain_values import plain
from rubric_engine.judgeeval import Evaluation, JudgeIdentity, Sample, save_evaluation
from tests.cli.conftest import Command
from tests.judgeeval.judged import LABELS, Case, evaluation, partly, wrong_on

Save = Callable[..., Path]


@pytest.fixture
def saved(tmp_path: Path) -> Save:
    """Keep evaluations under `results`, in folders `0`, `1`, ...; gives that folder."""

    def save(*evaluations: Evaluation) -> Path:
        for number, one in enumerate(evaluations):
            save_evaluation(one, tmp_path / "results" / str(number))
        return tmp_path / "results"

    return save


def cells(out: str, name: str) -> list[list[str]]:
    """The rows of a judge, table by table, without its name."""
    lines = [line for line in out.splitlines() if line.startswith(f"{name} ")]
    return [line.removeprefix(name).split() for line in lines]


def strict(out: str) -> Any:
    """The document, if it is JSON without NaN."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(out, parse_constant=refuse)


NONE: dict[str, Case] = {name: (own, [None] * len(own)) for name, own in LABELS.items()}


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


EDGES = {
    "no label": (evaluation("x", {"a": ([None] * 4, [1.0] * 4)}), "no labelled leaf"),
    "no case": (evaluation("x", {}), "no labelled leaf"),
    "one class": (evaluation("x", {"a": ([1.0] * 4, [1.0, 1.0, 0.0, 1.0])}), "all labels are met"),
    "constant": (
        evaluation("x", {k: (v, [1.0] * len(v)) for k, v in LABELS.items()}),
        "says the same of every leaf",
    ),
    "ungraded": (evaluation("x", NONE), "gave no grade to 30 of 30 leaves"),
    "one submission": (
        evaluation("x", {"a": wrong_on([1])["a"]}),
        "no interval for new submissions (one submission says nothing of new ones)",
    ),
    "perfect": (evaluation("x", wrong_on([])), "nothing shows how sure it is"),
}


@pytest.mark.parametrize("edge", EDGES)
def test_what_is_undefined_is_a_dash_with_its_reason(
    command: Command, saved: Save, edge: str
) -> None:
    judged, words = EDGES[edge]
    folder = saved(judged)
    for by in ("submission", "category"):
        done = command("judgeeval", "report", folder, "--by", by)
        assert (done.code, done.err) == (0, "")
        assert words in done.out
        assert "nan" not in done.out.lower()
    document = strict(command("judgeeval", "report", folder, "--json").out)
    assert document["ok"] is True


def test_hostile_names_are_escaped_cut_and_told_apart(command: Command, saved: Save) -> None:
    name = "\x1b[31m\u202e" + "x" * 300
    cases = {"\x07" + "s" * 90: wrong_on([1])["a"]}
    categories = ["\u202ecode", "c" * 200, "c" * 201]
    one, other = (evaluation(name, cases, categories=categories) for _ in range(2))
    for by in ("submission", "category"):
        done = command("judgeeval", "report", saved(one, other), "--by", by)
        assert not set("\x1b\x07\u202e") & set(done.out)
        tables = done.out.split("\n! ")[0].split("\n- ")[0]
        said = [line for line in tables.splitlines() if len(line) > 120]
        assert all("…" in line.split(": ")[0] for line in said)
        shown = (line.split("  ")[0] for line in tables.split("\n\n")[1].splitlines())
        rows = {name for name in shown if name.startswith("\\u{1b}") and ": " not in name}
        assert len(rows) == 2


LONG = ("replay, like gpt-4o-mini at no heat", "replay, like o3-mini at no heat")


def explained(out: str, name: str) -> list[str]:
    """What lines below tables say that a name is short for."""
    return [line.split(": ")[0] for line in out.splitlines() if line.endswith(f": {name}")]


def test_a_name_that_was_cut_is_said_in_full(command: Command, saved: Save) -> None:
    judges = [evaluation(name, wrong_on([i])) for i, name in enumerate(LONG)]
    folder = saved(*judges, evaluation("plain", wrong_on([3])))
    out = command("judgeeval", "report", folder).out
    shown = [explained(out, name) for name in LONG]
    assert [len(one) for one in shown] == [1, 1]
    for (one,) in shown:
        assert len(cells(out, one)) == 3
    assert not explained(out, "plain")
    compared = command("judgeeval", "compare", folder / "0", folder / "1").out
    heads = next(line for line in compared.splitlines() if line.startswith("macro F1  leaves"))
    for name in LONG:
        assert all(one in heads for one in explained(compared, name))
        assert explained(compared, name)


@pytest.mark.parametrize("by", ["submission", "category"])
def test_submissions_and_categories_that_were_cut_are_said_in_full(
    command: Command, saved: Save, by: str
) -> None:
    names = ["a paper with a name as long as one of these " + end for end in ("one", "two")]
    cases = {name: wrong_on([1])["a"] for name in names}
    folder = saved(evaluation("x", cases, categories=[*names, ""]))
    out = command("judgeeval", "report", folder, "--by", by).out
    for name in names:
        assert explained(out, name)
    heads = [line for line in out.splitlines() if "leaves with a label" in line]
    assert len(set(heads)) == len(heads)
    assert ": (no category)" in out


def test_a_hostile_category_is_said_in_full(command: Command, saved: Save) -> None:
    names = ['/../../etc/passwd}"&', '/x/y/etc/passwd}"&', "Code Development"]
    out = command(
        "judgeeval", "report", saved(evaluation("x", wrong_on([1]), categories=names))
    ).out
    head = out.split("\n\n")[2].splitlines()[0]
    for name in names[:2]:
        (shown,) = explained(out, name)
        assert shown.removeprefix("F1 on ") in head
    assert "F1 on code: Code Development." in out


def test_what_is_called_like_another_is_told_apart(command: Command, saved: Save) -> None:
    names = ["code", "Code Development", "(coin)"]
    judged = evaluation("(coin)", wrong_on([1]), categories=names)
    out = command("judgeeval", "report", saved(judged)).out
    head = out.split("\n\n")[2].splitlines()[0].split()
    assert len(set(head)) == len(head)
    rows = [line[:19].strip() for line in out.split("\n\n")[1].splitlines()]
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("count", [3, 5])
def test_categories_have_a_column_where_there_is_room(
    command: Command, saved: Save, count: int
) -> None:
    judged = evaluation("x", wrong_on([1]), categories=[f"kind {i}" for i in range(count)])
    out = command("judgeeval", "report", saved(judged)).out
    assert ("kind 0" in out) is (count == 3)
    assert ("F1 of the 5 categories: --by category" in out) is (count == 5)


def test_json_holds_every_figure(command: Command, saved: Save) -> None:
    cases = wrong_on([1, 4])
    folder = saved(
        evaluation("x", cases, usd=2.0, others={"bea": LABELS["a"]}), evaluation("y", cases)
    )
    found = strict(command("judgeeval", "report", folder, "--json").out)
    (leaves,) = found["leaf_sets"]
    rows = {row["name"]: row for row in leaves["rows"]}
    assert rows["x"]["result"] == str(folder / "0")
    assert rows["x"]["rank"] == rows["y"]["rank"] == 1
    figures = rows["x"]["agreement"]["pooled"]["headline"]
    assert {"accuracy", "f1", "mcc", "kappa", "ac1", "alpha", "why", "cells"} <= set(figures)
    anew = rows["x"]["intervals"]["f1"]["mean"]["anew"]
    assert (anew["about"], anew["method"], anew["units"]) == ("new submissions", "t", 3)
    assert rows["x"]["intervals"]["f1"]["pooled"]["anew"]["why"]
    assert rows["coin"]["kind"] == "baseline"
    assert rows["human bea vs ana"]["kind"] == "human"
    assert rows["x"]["agreement"]["cost"]["per_submission"] == pytest.approx(2.0)
    assert rows["x"]["evaluation"]["judge"]["fingerprint"] == "print of x"
    assert "leaves" not in rows["x"]["evaluation"]


def test_an_unknown_price_is_no_zero(command: Command, saved: Save) -> None:
    judged = evaluation("x", wrong_on([1]), usd=1.0)
    blind = judged.leaves[0].model_copy(update={"cost": None})
    half = judged.model_copy(update={"leaves": (blind, *judged.leaves[1:])})
    out = command("judgeeval", "report", saved(half)).out
    assert cells(out, "x")[0][-1] == "unpriced"
    assert "$ x cost $2.92 and 1 unpriced leaf" in out


def test_files_beside_results_are_passed_over_and_told(
    command: Command, saved: Save, tmp_path: Path
) -> None:
    folder = saved(evaluation("x", wrong_on([1])))
    readme = folder / "README.md"
    readme.write_text("results")
    done = command("judgeeval", "report", folder / "0", readme, folder)
    assert done.code == 0
    assert "passed over" in done.err
    assert len(cells(done.out, "x")) == 3


@pytest.mark.parametrize(
    ("place", "text", "code", "exit_code"),
    [
        ("nowhere", None, "E547", 3),
        ("results/0/evaluation.json", "{", "E547", 3),
        ("results/0/leaves.jsonl", '{"case": 1}\n', "E547", 3),
        ("results/0/leaves.jsonl", "\udcff", "E547", 3),
    ],
)
def test_what_cannot_be_read_is_told(
    command: Command,
    saved: Save,
    tmp_path: Path,
    place: str,
    text: str | None,
    code: str,
    exit_code: int,
) -> None:
    folder = saved(evaluation("x", wrong_on([1])))
    if text is not None:
        (tmp_path / place).write_text(text, encoding="utf-8", errors="surrogateescape")
    target = folder if text is not None else tmp_path / place
    done = command("judgeeval", "report", target, "--json")
    assert (done.code, done.json["error"]["code"]) == (exit_code, code)


def test_only_files_are_no_results(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = command("judgeeval", "report", tmp_path / "file")
    assert done.code == 2
    assert "error[E001] no folder of an evaluation was given" in done.err


def test_labels_of_a_part_are_told(command: Command, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "jk"]
    for path, judged in zip(paths, (partly(), partly("k", wrong_on([2]))), strict=True):
        save_evaluation(judged, path)
    done = command("judgeeval", "report", *paths, "--by", "submission")
    lines = done.out.splitlines()
    assert lines[0] == (
        "3 submissions, 30 of 58 leaves with a label in 15 groups, 46.7% of them met"
    )
    assert lines[1] == "labels cover 76.7% of the worth"
    assert "\na: 12 of 40 leaves with a label, 41.7% of them met\n" in done.out
    assert "warning W419  labels cover 30 of 58 leaves" in done.out
    assert "~ errors of root scores are over 2 of 3 submissions (others: labels cover" in done.out
    assert "no root score by submission (labels cover only part of the rubric)" in done.out
    document = command("judgeeval", "report", *paths, "--json").json
    labels = document["leaf_sets"][0]["labels"]
    assert labels["a"] == {"leaves": 40, "labelled": 12, "worth": pytest.approx(0.3)}
    assert "W419" in [one["code"] for one in document["warnings"]]
    compared = command("judgeeval", "compare", *paths)
    assert compared.out.count("warning W419") == 1


def test_a_sample_of_partial_labels_tells_both(command: Command, tmp_path: Path) -> None:
    save_evaluation(partly(sample=Sample(size=30, of=30, seed=0)), tmp_path / "r")
    lines = command("judgeeval", "report", tmp_path / "r").out.splitlines()
    assert lines[0].startswith("3 submissions, 30 leaves with a label in 15 groups")
    assert lines[1] == "labels cover 30 of 58 leaves, 76.7% of the worth"


def test_json_takes_any_text(command: Command, saved: Save) -> None:
    broken = "bad\udcff"
    folder = saved(
        evaluation(broken, wrong_on([1]), categories=[broken]),
        evaluation("y", wrong_on([2]), categories=[broken]),
    )
    done = command("judgeeval", "report", folder, "--json")
    assert done.code == 0
    assert {row["name"] for row in strict(done.out)["leaf_sets"][0]["rows"]} > {broken}
    compared = command("judgeeval", "compare", folder / "0", folder / "1", "--json")
    assert compared.code == 0
    assert strict(compared.out)["comparisons"][0]["first"] == "bad\\u{dcff}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_never_printed(value: float) -> None:
    assert plain({"x": [value, 1.5]}) == {"x": [None, 1.5]}
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"x": value})


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


def test_equal_names_are_told_apart_by_their_folders(command: Command, saved: Save) -> None:
    folder = saved(evaluation("x", wrong_on([1])), evaluation("x", wrong_on([1, 4])))
    for order in ("01", "10"):
        paths = [folder / name for name in order]
        rows = command("judgeeval", "report", *paths, "--json").json["leaf_sets"][0]["rows"]
        found = {row["name"]: row["result"] for row in rows if row["kind"] == "judge"}
        assert found == {f"x ({name})": str(folder / name) for name in "01"}


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


def test_names_have_what_room_there_is(command: Command, saved: Save) -> None:
    name = "a judge of 23 columns, x"
    out = command("judgeeval", "report", saved(evaluation(name, wrong_on([1]), usd=1.0))).out
    assert len(cells(out, name)) == 3
    assert max(map(len, out.split("\nresult")[0].splitlines())) <= 80


def test_a_bias_that_is_one_end_of_a_range_is_marked(command: Command, saved: Save) -> None:
    half = {name: (own, [*own[:4], *([None] * (len(own) - 4))]) for name, own in LABELS.items()}
    out = command("judgeeval", "report", saved(evaluation("x", half))).out
    assert cells(out, "x")[2][0].endswith("!")
    assert "! x left scores open: its bias lies between" in out


def test_many_results_are_named_by_their_folder(command: Command, saved: Save) -> None:
    folder = saved(*(evaluation(str(k), wrong_on([k])) for k in range(4)))
    whole = command("judgeeval", "report", *(folder / str(k) for k in range(4))).out
    assert f"next    rubric-engine judgeeval report {folder} --by submission\n" in whole
    part = command("judgeeval", "report", *(folder / str(k) for k in range(2))).out
    assert f"report {folder / '0'} {folder / '1'} --by submission\n" in part
