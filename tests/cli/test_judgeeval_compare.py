"""`judgeeval compare`: words first, and only what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.judgeeval import Evaluation, Sample, compare_all, save_evaluation
from tests.cli.conftest import Command
from tests.judgeeval.judged import LABELS, evaluation, wrong_on


def saved(folder: Path, *evaluations: Evaluation) -> list[Path]:
    """Keep evaluations, each in a folder of its own."""
    paths = [folder / f"result-{number}" for number in range(len(evaluations))]
    for path, one in zip(paths, evaluations, strict=True):
        save_evaluation(one, path)
    return paths


GOOD = evaluation("good", wrong_on([7]))
POOR = evaluation("poor", wrong_on([0, 1, 2, 3, 5, 6]))
ALIKE = evaluation("alike", wrong_on([4]))


def test_words_come_first(command: Command, tmp_path: Path) -> None:
    done = command("judgeeval", "compare", *saved(tmp_path, GOOD, POOR))
    assert done.code == 0
    assert done.out.startswith("good is better than poor on these submissions (macro F1 +")
    assert "McNemar p" in done.out
    assert "mid-p" in done.out
    assert "accuracies, leaves clustered by group: p" in done.out
    assert "Holm" not in done.out
    assert max(map(len, done.out.split("\n\n", 1)[1].splitlines())) <= 110


def test_no_difference_is_said(command: Command, tmp_path: Path) -> None:
    done = command("judgeeval", "compare", *saved(tmp_path, GOOD, ALIKE))
    assert done.out.startswith("No clear difference between good and alike on these")
    assert "is to be expected on new submissions" in done.out


def test_a_family_is_adjusted(command: Command, tmp_path: Path) -> None:
    paths = saved(tmp_path, GOOD, POOR, ALIKE)
    done = command("judgeeval", "compare", *paths)
    assert "Holm adjusted for 3 comparisons" in done.out
    found = command("judgeeval", "compare", *paths, "--json").json
    known = compare_all({one.name: one.pairs for one in (GOOD, POOR, ALIKE)})
    for row, one in zip(found["comparisons"], known, strict=True):
        assert row["adjusted_p"] == one.adjusted_p
        assert row["differences"]["f1"]["here"]["low"] == one.differences["f1"].here.low
        assert row["mcnemar"]["mid_p"] == one.mcnemar.mid_p
        assert (row["shown_here"], row["shown_anew"]) == (one.shown_here, one.shown_anew)
        assert [case["submission"] for case in row["submissions"]] == ["a", "b", "c"]
    assert found["judges"]["poor"]["result"] == str(paths[1])


def test_holes_count_as_wrong_and_are_marked(command: Command, tmp_path: Path) -> None:
    cases = wrong_on([7])
    cases["b"] = (LABELS["b"], [None] * len(LABELS["b"]))
    crashed = evaluation("crashed", cases, facts={"b": {"trouble": "E301 it broke"}})
    done = command("judgeeval", "compare", *saved(tmp_path, GOOD, crashed))
    assert "good is better than crashed on these submissions" in done.out
    (row,) = [line.split() for line in done.out.splitlines() if line.startswith("b ")]
    assert row[:2] == ["b", "10"]
    assert row[3] == "0.00!"
    assert "warning W414" in done.out


def test_other_leaves_are_refused_with_what_differs(command: Command, tmp_path: Path) -> None:
    one = evaluation("one", {"a": wrong_on([1])["a"]})
    done = command("judgeeval", "compare", *saved(tmp_path, GOOD, one))
    assert done.code == 2
    assert "error[E005]" in done.err
    assert "only 'good' was measured on 18 leaves" in done.err


def test_a_sample_is_told(command: Command, tmp_path: Path) -> None:
    sample = Sample(size=30, of=90, seed=1)
    judges = [evaluation(name, wrong_on([1]), sample=sample) for name in "st"]
    assert command("judgeeval", "compare", *saved(tmp_path, *judges)).out.count("W413") == 2


def test_what_is_not_complete_is_not_compared(command: Command, tmp_path: Path) -> None:
    part = evaluation("part", wrong_on([1]), complete=False, command="rubric-engine again")
    done = command("judgeeval", "compare", *saved(tmp_path, GOOD, part))
    assert done.code == 2
    assert (
        "error[E008] 'part' is not complete, so not compared: still to be judged: 'c'" in done.err
    )
    assert "fix: rubric-engine again   goes on with it" in done.err


EDGES = {
    "no label": {"a": ([None] * 4, [1.0] * 4)},
    "no case": {},
    "one class": {"a": ([1.0] * 4, [1.0, 1.0, 0.0, 1.0])},
    "ungraded": {"a": ([1.0, 0.0, 1.0, 0.0], [None] * 4)},
}


@pytest.mark.parametrize("edge", EDGES)
def test_what_is_undefined_is_said(command: Command, tmp_path: Path, edge: str) -> None:
    paths = saved(tmp_path, *(evaluation("same\x1b", EDGES[edge]) for _ in range(2)))  # type: ignore[arg-type]
    done = command("judgeeval", "compare", *paths)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "nan" not in done.out.lower()
    assert "same\\u{1b} (result-1)" in done.out
    document = command("judgeeval", "compare", *paths, "--json").out
    assert "NaN" not in document
    assert json.loads(document)["ok"] is True


def test_one_evaluation_is_no_comparison(command: Command, tmp_path: Path) -> None:
    (path,) = saved(tmp_path, GOOD)
    done = command("judgeeval", "compare", path, path)
    assert done.code == 2
    assert "at least two evaluations" in done.err


def test_who_is_better_is_never_named_with_a_negative_figure(
    command: Command, tmp_path: Path
) -> None:
    paths = saved(tmp_path, GOOD, POOR)
    first, other = (command("judgeeval", "compare", *order).out for order in (paths, paths[::-1]))
    assert first.split("\n")[0] == other.split("\n")[0]
    assert "good is better than poor on these submissions (macro F1 +" in other


def test_holm_is_named_where_it_decides(command: Command, tmp_path: Path) -> None:
    """Each of ten comparisons is held to a tenth of the level."""
    places = [[0, 7], [1, 7], [2, 5, 7], [3, 6, 7, 8], [4, 5, 6, 7, 8, 9]]
    judges = [evaluation(str(k), wrong_on(own)) for k, own in enumerate(places)]
    done = command("judgeeval", "compare", *saved(tmp_path, *judges), "--all")
    held = [
        one
        for one in compare_all({judge.name: judge.pairs for judge in judges})
        if one.differences["f1"].here.excludes(0.0) and not one.shown_here
    ]
    assert held
    told = done.out.count("after Holm's adjustment for all comparisons).")
    assert told >= len(held)


@pytest.mark.parametrize("every", [False, True])
def test_many_judges_stand_in_an_order(command: Command, tmp_path: Path, every: bool) -> None:
    judges = [evaluation(f"a, {k}", wrong_on(list(range(2 * k)))) for k in range(5)]
    paths = saved(tmp_path, *judges[::-1])
    out = command("judgeeval", "compare", *paths, *(["--all"] if every else [])).out
    table = out.split("\n\n")[0].splitlines()
    assert table[0].split() == ["judge", "F1", "mean", "against"]
    assert [line.split("  ")[0] for line in table[2:7]] == [judge.name for judge in judges]
    assert [len(line.split()[-1]) for line in table[2:6]] == [4, 3, 2, 1]
    assert {"*", "+"} & set(table[2].split()[-1])
    assert out.count(" on these submissions (") == (10 if every else 4)
    assert ("McNemar" in out) is every
    assert "'a, 0' is better than 'a, 1'" in out or "between 'a, 0' and 'a, 1'" in out


def test_names_of_submissions_have_what_room_there_is(command: Command, tmp_path: Path) -> None:
    name = "variance-reduction-cheating"
    judges = [evaluation(who, {name: wrong_on([1])["a"], "b": wrong_on([2])["b"]}) for who in "xy"]
    out = command("judgeeval", "compare", *saved(tmp_path, *judges)).out
    assert f"\n{name} " in out
    assert "…" not in out.split("\nresult")[0]
