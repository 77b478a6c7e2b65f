"""Which folders `judgeeval report` reads, and what is said of labels of a part."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.judgeeval import Sample, save_evaluation
from tests.cli.conftest import Command
from tests.cli.saving import Save, cells, saved
from tests.judgeeval.judged import evaluation, partly, wrong_on

__all__ = ["saved"]


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
