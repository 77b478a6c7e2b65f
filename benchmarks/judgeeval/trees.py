"""Leaves to measure on: the public labelled trees, and made-up ones of their shape."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rubric_engine.judgeeval import Pair, Pairs
from rubric_engine.rubric_file import load_grades, load_rubric

DATA = "PAPERBENCH_DATA_DIR"

SHAPES = ((174, 52), (1963, 515), (361, 98), (79, 19), (116, 30))
"""Leaves, and groups of them, of the five public labelled submissions."""

CATEGORIES = ("Code Development", "Code Execution", "Result Analysis")

MADE_UP_SEED = 7


@dataclass(frozen=True, eq=False)
class Labelled:
    """A labelled submission as columns.

    Attributes:
        name: Its name.
        keys: Keys of the leaves.
        parents: Group of each leaf.
        categories: Category of each.
        worth: Share of the root's score of each.
        label: The human's score of each, 0 or 1.
    """

    name: str
    keys: tuple[str, ...]
    parents: tuple[str, ...]
    categories: tuple[str, ...]
    worth: np.ndarray
    label: np.ndarray

    def rows(self, grades: np.ndarray) -> list[Pair]:
        """Pairs with these grades."""
        return [
            Pair(key, self.name, parent, category, float(worth), float(label), float(grade))
            for key, parent, category, worth, label, grade in zip(
                self.keys,
                self.parents,
                self.categories,
                self.worth,
                self.label,
                grades,
                strict=True,
            )
        ]


def public_trees() -> list[Labelled]:
    """The labelled trees under PAPERBENCH_DATA_DIR; none where it is not set."""
    data = os.environ.get(DATA)
    if not data:
        return []
    paths = sorted((Path(data) / "judge_eval").glob("*/0/grading/expected_result.json"))
    return [_load(path) for path in paths]


def _load(path: Path) -> Labelled:
    rubric, labels = load_rubric(path), load_grades(path)
    keys = rubric.leaves()
    return Labelled(
        name=path.parents[2].name,
        keys=keys,
        parents=tuple(rubric.parent(key) or key for key in keys),
        categories=tuple(rubric[key].task_category or "" for key in keys),
        worth=np.array([rubric.worth(key) for key in keys]),
        label=np.array([labels[key].score or 0.0 for key in keys]),
    )


def made_up() -> Pairs:
    """2,693 leaves in five submissions, the same every time, a sixth of them judged wrongly."""
    generator = np.random.default_rng(MADE_UP_SEED)
    rows: list[Pair] = []
    for number, (leaves, groups) in enumerate(SHAPES):
        label = (generator.random(leaves) < 0.44).astype(float)
        tree = Labelled(
            name=f"submission {number}",
            keys=tuple(f"leaf {i}" for i in range(leaves)),
            parents=tuple(f"group {i * groups // leaves}" for i in range(leaves)),
            categories=tuple(CATEGORIES[c] for c in generator.integers(0, 3, leaves)),
            worth=generator.dirichlet(np.ones(leaves)),
            label=label,
        )
        rows += tree.rows(np.where(generator.random(leaves) < 1 / 6, 1 - label, label))
    return Pairs.of(rows)
