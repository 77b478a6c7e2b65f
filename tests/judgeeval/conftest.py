"""The public labelled trees and the values that independent libraries found on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.judgeeval import Pair, Pairs, pair_up
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_grades, load_rubric

TREES = ("rice", "semantic-self-consistency", "stay-on-topic-with-classifier-free-guidance")

Vectors = dict[str, Any]
Flip = Callable[[int], bool]


class Tree:
    """One labelled tree."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.rubric: Rubric = load_rubric(path)
        self.labels: dict[str, Grade] = load_grades(path)
        self.worth = {key: self.rubric.worth(key) for key in self.rubric.leaves()}
        self.scores = [self.labels[key].score or 0.0 for key in self.rubric.leaves()]

    def pair(self, scores: Sequence[float | None]) -> list[Pair]:
        """Pairs with a judge that gives these scores in document order."""
        grades = {
            key: Grade.graded(score)
            for key, score in zip(self.rubric.leaves(), scores, strict=True)
            if score is not None
        }
        return pair_up(self.rubric, self.labels, grades, submission=self.name)

    def judged(self, judge: str) -> list[float]:
        """Scores of one of the judges that the vectors name."""
        if judge in ("ones", "zeros"):
            return [float(judge == "ones")] * len(self.scores)
        wrong = flips(self, judge)
        return [1 - y if wrong(i) else y for i, y in enumerate(self.scores)]


def flips(tree: Tree, judge: str) -> Flip:
    """Which leaves a judge of the vectors has wrong."""
    leaves = tree.rubric.leaves()
    number: dict[str | None, int] = {}
    for key in leaves:
        number.setdefault(tree.rubric.parent(key), len(number))
    rules: dict[str, Flip] = {
        "flip7": lambda i: i % 7 == 6,
        "flip5": lambda i: i % 5 == 4,
        "parent5": lambda i: number[tree.rubric.parent(leaves[i])] % 5 == 4,
    }
    return rules[judge]


@pytest.fixture(scope="session")
def vectors(test_data: Path) -> Vectors:
    """Expected values."""
    loaded: Vectors = json.loads((test_data / "vectors.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def trees(test_data: Path) -> dict[str, Tree]:
    """The labelled trees by name."""
    folder = test_data / "paperbench" / "judge_eval"
    return {
        name: Tree(folder / name / "0" / "grading" / "expected_result.json", name) for name in TREES
    }


@pytest.fixture(scope="session")
def judge_on_all(trees: dict[str, Tree]) -> Callable[[str], Pairs]:
    """Pairs of a judge of the vectors over all trees."""

    def build(judge: str) -> Pairs:
        return Pairs.of(row for tree in trees.values() for row in tree.pair(tree.judged(judge)))

    return build
