"""A made-up labelling: 5,000 leaves in groups of four, each labelled by two annotators."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.judgeeval.trees import CATEGORIES
from rubric_engine.criterion import Criterion
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.planning import LabelPlan, planned_leaves
from rubric_engine.labels import Label
from rubric_engine.rubric import Rubric

LEAVES = 5_000
IN_GROUP = 4
ANNOTATORS = ("a1", "a2")
AGREE = 0.9
SEED = 11


def write_labelling(folder: Path) -> int:
    """Write it, the same every time, and say how many labels it holds."""
    rubric = _rubric()
    plan = LabelPlan(
        task="made-up",
        submission="submission",
        rubric_sha256=rubric.sha256,
        name="made-up",
        submission_sha256="0" * 64,
        seed=SEED,
        overlap=100,
        of=LEAVES,
        annotators=ANNOTATORS,
        leaves=planned_leaves(rubric, ANNOTATORS, overlap=100, seed=SEED),
    )
    made = LabelFolder.make(folder, plan, rubric, outside=folder.parent / "submission")
    generator = np.random.default_rng(SEED)
    first = generator.random(LEAVES) < 0.5
    second = np.where(generator.random(LEAVES) < AGREE, first, ~first)
    for name, met in zip(ANNOTATORS, (first, second), strict=True):
        made.record(name).append(
            {
                leaf.key: Label(
                    verdict="met" if said else "not_met",
                    reason="src/train.py trains with the learning rate that the paper gives",
                    time="2026-05-01T12:00:00Z",
                    seconds=40,
                    inclusion=leaf.inclusion,
                    submission=plan.mark,
                    leaf=leaf.leaf,
                )
                for leaf, said in zip(plan.leaves, met, strict=True)
            },
        )
    return LEAVES * len(ANNOTATORS)


def _rubric() -> Rubric:
    rows: list[tuple[str | None, Criterion]] = [(None, _criterion("root"))]
    for number in range(LEAVES // IN_GROUP):
        group = f"group {number}"
        rows.append(("root", _criterion(group)))
        rows += [
            (group, _criterion(f"{group}, leaf {i}", CATEGORIES[(number + i) % 3]))
            for i in range(IN_GROUP)
        ]
    return Rubric.build(rows)


def _criterion(key: str, category: str | None = None) -> Criterion:
    return Criterion(key=key, id=key, requirements=f"{key} holds", task_category=category)
