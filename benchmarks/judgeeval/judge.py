"""A made-up judge whose errors hang together, as real ones' do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.judgeeval.trees import Labelled

RATES = {
    "Code Development": (347 / 402, 67 / 114),
    "Code Execution": (663 / 770, 1077 / 1330),
    "Result Analysis": (16 / 17, 58 / 60),
}
"""Sensitivity and specificity of the published o3-mini judge, by category."""

NODES = 61
"""Points of the quadrature over normal effects."""


class MadeUpJudge:
    """Errs with these rates on the logit scale, shifted by submission and by group.

    Args:
        trees: Labelled submissions.
        between_submissions: Standard deviation of the shift that a submission's leaves share.
        between_groups: The same of a group's leaves.
    """

    def __init__(
        self, trees: Sequence[Labelled], between_submissions: float, between_groups: float
    ) -> None:
        self.trees = trees
        self.between_submissions = between_submissions
        self.between_groups = between_groups
        self._logits = [_logits(tree) for tree in trees]
        self._groups = [np.unique(tree.parents, return_inverse=True)[1] for tree in trees]

    def grades(
        self, generator: np.random.Generator, hardness: Sequence[np.ndarray] | None = None
    ) -> list[np.ndarray]:
        """One grading of every submission.

        Args:
            generator: Draws shifts and errors.
            hardness: A shift of each leaf, that judges may share; one array a submission.
        """
        found = []
        for number, (tree, logits, groups) in enumerate(
            zip(self.trees, self._logits, self._groups, strict=True)
        ):
            shift = generator.normal(0, self.between_submissions)
            shifts = generator.normal(0, self.between_groups, groups.max() + 1)
            own = 0.0 if hardness is None else hardness[number]
            chance = 1 / (1 + np.exp(-(logits + own + shift + shifts[groups])))
            wrong = generator.random(len(logits)) < chance
            found.append(np.where(wrong, 1 - tree.label, tree.label))
        return found

    def expected_errors(self) -> list[np.ndarray]:
        """Chance of an error on each leaf, over all shifts."""
        spread = np.hypot(self.between_submissions, self.between_groups)
        points, weights = np.polynomial.hermite_e.hermegauss(NODES)
        weights = weights / weights.sum()
        return [
            (1 / (1 + np.exp(-(logits[:, None] + spread * points)))) @ weights
            for logits in self._logits
        ]


def _logits(tree: Labelled) -> np.ndarray:
    sensitivity = np.array([RATES[category][0] for category in tree.categories])
    specificity = np.array([RATES[category][1] for category in tree.categories])
    right = np.where(tree.label == 1, sensitivity, specificity)
    return np.asarray(np.log((1 - right) / right))
