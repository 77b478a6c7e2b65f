"""Labels: a human's grades from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import load_labels, load_task
from rubric_engine.errors import LabelsError

GOOD = """\
annotator: a1
labels:
  one: {verdict: met, reason: it is there}
  two: {verdict: not_met, reason: it is not, score: 0.25}
  three: {verdict: cannot_judge}
"""


def test_labels_become_grades(tmp_path: Path) -> None:
    path = tmp_path / "labels.yaml"
    path.write_text(GOOD)
    grades = load_labels(path).grades()
    assert (grades["one"].score, grades["two"].score) == (1.0, 0.25)
    assert grades["three"].status == "ungradeable"
    assert grades["one"].explanation == "it is there"


@pytest.mark.parametrize(
    "text",
    [
        "annotator: a\n",
        GOOD.replace("not_met", "maybe"),
        GOOD.replace("0.25", "2"),
        GOOD.replace("0.25", "0.75"),
        "- a list\n",
    ],
)
def test_wrong_labels_are_an_error_with_exit_code_3(tmp_path: Path, text: str) -> None:
    path = tmp_path / "labels.yaml"
    path.write_text(text)
    with pytest.raises(LabelsError) as caught:
        load_labels(path)
    assert caught.value.exit_code == 3


def test_labels_of_another_rubric_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.yaml"
    path.write_text(GOOD)
    with pytest.raises(LabelsError, match="no leaf of the rubric") as caught:
        load_labels(path, load_task("heavy-ball").rubric)
    assert caught.value.code == "E502"
