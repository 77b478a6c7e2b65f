"""How far a judge that asks about each leaf more than once agrees with itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.repeats import Consistency, consistency


@dataclass(frozen=True, slots=True)
class Sampled:
    """Samples of a judge, held against each other.

    Attributes:
        consistency: How alike their verdicts are.
        mean: Mean number of samples of a labelled leaf that has any.
        first_two: Whether only the first two of each leaf are compared, as of a judge that stops
            at a lead: it asked for later samples because the first ones differed.
    """

    consistency: Consistency
    mean: float
    first_two: bool


def sampled(evaluation: Evaluation) -> Sampled | None:
    """Hold the samples of a judge against each other; None where it took none twice.

    Args:
        evaluation: Its evaluation; a sample is met from its threshold on.
    """
    verdicts = (
        [float(score >= evaluation.threshold) for score in leaf.samples]
        for leaf in evaluation.leaves
        if leaf.label is not None and leaf.samples
    )
    return samples_compared(verdicts, first_two=evaluation.judge.stops_at_lead)


def samples_compared(verdicts: Iterable[list[float]], *, first_two: bool) -> Sampled | None:
    """Hold the verdicts of samples against each other; None where no leaf has two.

    Args:
        verdicts: Of each leaf that has any, 0 or 1, in the order in which they were taken.
        first_two: Whether the judge stops at a lead, so that only the first two are alike.
    """
    rows = list(verdicts)
    if not any(len(row) > 1 for row in rows):
        return None
    counts = [len(row) for row in rows]
    compared = [row[:2] for row in rows] if first_two else rows
    return Sampled(consistency(compared), sum(counts) / len(counts), first_two)
