"""Judges that have seen the labels: what a judge with known faults would score."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.errors import UsageError
from rubric_engine.grading import MET_FROM, Grade
from rubric_engine.judge import Judge
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.pairs import TOLERANCE
from rubric_engine.judges import LabelJudge


@dataclass(frozen=True)
class Planted:
    """A judge that is made of each case's labels.

    Attributes:
        name: Its name.
        settings: What tells it from others of its name.
        make: Makes the judge of a case.
    """

    name: str
    settings: Mapping[str, float]
    make: Callable[[LabelledCase], Judge]

    @property
    def fingerprint(self) -> str:
        """Hash of name and settings."""
        said = json.dumps([self.name, dict(self.settings)], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()


def majority(cases: Iterable[LabelledCase], *, threshold: float = MET_FROM) -> Planted:
    """A judge that says of each leaf what most labels of its category say; a tie is "not met".

    Args:
        cases: The cases that it is measured on.
        threshold: Score from which on a label is "met".
    """
    votes: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for case in cases:
        for key in case.labelled:
            votes[_category(case, key)][_is_met(case, key, threshold)] += 1

    def make(case: LabelledCase) -> Judge:
        said = {}
        for key in case.task.rubric.leaves():
            counts = votes[_category(case, key)]
            said[key] = Grade.graded(float(counts[True] > counts[False]), "as most of its category")
        return LabelJudge(said, name="majority")

    return Planted("majority", {"threshold": threshold}, make)


def replay(
    *,
    miss: float = 0.0,
    false_alarm: float = 0.0,
    hole: float = 0.0,
    seed: int = 0,
    threshold: float = MET_FROM,
) -> Planted:
    """A judge that repeats the labels, scores as they are, with planted errors of 0 and 1.

    Which leaves it gets wrong follows from seed, rubric, case and key.

    Args:
        miss: Share of met leaves that it calls not met, 0 to 1.
        false_alarm: Share of leaves that are not met and that it calls met, 0 to 1.
        hole: Share of leaves that it fails to grade, 0 to 1.
        seed: Another seed plants the errors elsewhere.
        threshold: Score from which on a label is "met".

    Raises:
        UsageError: A rate is out of range.
    """
    for rate in (miss, false_alarm, hole):
        if not 0 <= rate <= 1:
            raise UsageError(f"a rate of planted errors lies between 0 and 1, not at {rate:g}")

    def make(case: LabelledCase) -> Judge:
        said = {key: _said(case, key) for key in case.labelled}
        return LabelJudge(said, name="replay")

    def _said(case: LabelledCase, key: str) -> Grade:
        if _chance(seed, case, key, "hole") < hole:
            return Grade.ungradeable("infra", "a planted failure")
        met = _is_met(case, key, threshold)
        if _chance(seed, case, key, "error") < (miss if met else false_alarm):
            return Grade.graded(float(not met), "a planted error")
        return Grade.graded(case.labels[key].score or 0.0, "the label")

    rates = {"miss": miss, "false_alarm": false_alarm, "hole": hole}
    return Planted("replay", rates | {"seed": seed, "threshold": threshold}, make)


def _chance(seed: int, case: LabelledCase, key: str, what: str) -> float:
    parts = [seed, case.task.rubric.sha256, case.name, key, what]
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _category(case: LabelledCase, key: str) -> str:
    return case.task.rubric[key].task_category or ""


def _is_met(case: LabelledCase, key: str, threshold: float) -> bool:
    return (case.labels[key].score or 0.0) >= threshold - TOLERANCE
