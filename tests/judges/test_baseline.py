from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.criterion import Criterion
from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge
from rubric_engine.judges import ConstantJudge, LabelJudge, RandomJudge
from rubric_engine.submitted import Submission
from tests.judges.desk import grades_of, leaf_of, written

LEAVES = [leaf_of([], key=f"leaf-{number}") for number in range(200)]


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    return written(tmp_path / "s", {"a.py": ""})


def scores(leaves: list[Criterion], submission: Submission, judge: Judge) -> dict[str, float]:
    grades = grades_of(leaves, submission, judge=judge)
    return {key: grade.score for key, grade in grades.items() if grade.score is not None}


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_the_constant_judge_gives_its_score_to_all(submission: Submission, score: float) -> None:
    assert scores(LEAVES, submission, ConstantJudge(score)) == {leaf.key: score for leaf in LEAVES}


def test_the_coin_is_fair_and_follows_from_seed_rubric_key_and_sample(
    submission: Submission,
) -> None:
    tossed = scores(LEAVES, submission, RandomJudge(0))
    assert set(tossed.values()) == {0.0, 1.0}
    assert 60 < sum(tossed.values()) < 140
    assert scores(LEAVES, submission, RandomJudge(0)) == tossed
    assert scores(LEAVES, submission, RandomJudge(1)) != tossed
    assert scores(LEAVES[:100], submission, RandomJudge(0)) != dict(list(tossed.items())[:100])
    again = grades_of(LEAVES, submission, judge=RandomJudge(0), sample=1)
    assert {key: grade.score for key, grade in again.items()} != tossed


def test_the_label_judge_replays(submission: Submission) -> None:
    known = {
        "leaf-0": Grade.graded(1.0, "seen"),
        "leaf-1": Grade.ungradeable("needs_model", "the annotator could not judge"),
        "stranger": Grade.graded(0.0),
    }
    grades = grades_of(LEAVES[:3], submission, judge=LabelJudge(known))
    assert grades["leaf-0"] == known["leaf-0"]
    assert grades["leaf-1"] == known["leaf-1"]
    assert grades["leaf-2"].reason == "needs_model"
    assert set(grades) == {"leaf-0", "leaf-1", "leaf-2"}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"leaf_1": Grade.graded(1.0)}, "none of 1 labels .* 'leaf_1'; did you mean 'leaf-1'?"),
        ({"x": Grade.graded(1.0), "root": Grade.graded(0.0)}, "none of 2 labels .* 'x'$"),
        ({}, "none of 0 labels is of a leaf of the rubric$"),
    ],
)
def test_labels_of_another_rubric_are_an_error(
    submission: Submission, known: dict[str, Grade], said: str
) -> None:
    with pytest.raises(LabelsError, match=said) as caught:
        grades_of(LEAVES[:3], submission, judge=LabelJudge(known))
    assert caught.value.code == "E502"
    assert grades_of([], submission, judge=LabelJudge(known)) == {}


def test_they_say_what_they_say_without_a_run() -> None:
    assert not any(judge.reads_run for judge in (ConstantJudge, RandomJudge, LabelJudge))


def test_fingerprints_tell_judges_apart() -> None:
    judges: list[Judge] = [
        ConstantJudge(0.0),
        ConstantJudge(1.0),
        RandomJudge(0),
        RandomJudge(1),
        LabelJudge({}),
        LabelJudge({"a": Grade.graded(1.0)}),
    ]
    assert all(isinstance(judge, Judge) for judge in judges)
    assert len({judge.card.fingerprint for judge in judges}) == len(judges)
    assert RandomJudge(0).card.fingerprint == RandomJudge(0).card.fingerprint
