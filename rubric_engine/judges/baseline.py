"""Judges to measure others against: a constant, a coin, and the labels of a person."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard
from rubric_engine.near import near
from rubric_engine.rubric import Rubric


class ConstantJudge:
    """Gives every leaf the same score.

    Args:
        score: From 0 to 1.
        card: The card that defines it; one that says the same by default.
    """

    reads_run = reads_submission = False
    """It says what it says whatever was submitted."""

    def __init__(self, score: float, card: JudgeCard | None = None) -> None:
        self.score = score
        self.card = card or _card(name="constant", kind="constant", score=score)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        for leaf in leaves:
            yield leaf.key, Grade.graded(self.score, "the same for every leaf")


class RandomJudge:
    """Tosses a coin for each leaf.

    The toss follows from seed, rubric, key and sample, so neither order nor repetition matters.

    Args:
        seed: Another seed gives other tosses.
        card: The card that defines it; one that says the same by default.
    """

    reads_run = reads_submission = False
    """It says what it says whatever was submitted."""

    def __init__(self, seed: int = 0, card: JudgeCard | None = None) -> None:
        self.seed = seed
        self.card = card or _card(name="random", kind="random", seed=seed)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        for leaf in leaves:
            parts = [self.seed, case.task.rubric.sha256, leaf.key, sample]
            toss = hashlib.sha256(json.dumps(parts).encode()).digest()[0] & 1
            yield leaf.key, Grade.graded(float(toss), "tossed, not judged")


class LabelJudge:
    """Replays grades that are known, such as a person's labels.

    Args:
        grades: Grade by key. A leaf without one stays without.
        name: Name of the judge.
    """

    reads_run = reads_submission = False
    """It says what it says whatever was submitted."""

    def __init__(self, grades: Mapping[str, Grade], name: str = "labels") -> None:
        self.grades = dict(grades)
        said = {key: grade.model_dump(mode="json") for key, grade in self.grades.items()}
        digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
        self.card = _card(name=name, kind="labels", labels_sha256=digest)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`. Every sample is the same.

        Raises:
            LabelsError: Not a single label is of a leaf of the rubric.
        """
        if leaves:
            self._require_fit(case.task.rubric)
        for leaf in leaves:
            missing = Grade.ungradeable("needs_model", "nobody labelled this leaf")
            yield leaf.key, self.grades.get(leaf.key, missing)

    def _require_fit(self, rubric: Rubric) -> None:
        keys = rubric.leaves()
        if any(key in self.grades for key in keys):
            return
        first = next(iter(self.grades), None)
        meant = near(first, keys) if first is not None else None
        named = f": the first is of {first!r}" if first is not None else ""
        raise LabelsError(
            f"none of {len(self.grades)} labels is of a leaf of the rubric"
            + named
            + (f"; {meant}" if meant else ""),
            code="E502",
            fix=["rubric-engine rubric tree RUBRIC lists the keys"],
        )


def _card(**fields: object) -> JudgeCard:
    return JudgeCard.model_validate(fields)
