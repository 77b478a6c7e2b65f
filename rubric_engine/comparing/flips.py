"""How often a judge changes its verdict when nothing else changes. Pure but for numpy and scipy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rubric_engine.comparing.aligning import align
from rubric_engine.comparing.facts import fact
from rubric_engine.comparing.kinds import leaf_kinds
from rubric_engine.comparing.likeness import require_alike
from rubric_engine.comparing.noise import PairedTest, paired_test
from rubric_engine.errors import RunError
from rubric_engine.grading import MET_FROM
from rubric_engine.judgeeval.intervals import Interval, binomial_interval
from rubric_engine.judgeeval.resampled import samples_compared
from rubric_engine.result import Report


@dataclass(frozen=True, slots=True)
class FlipRate:
    """How often a judge changes its verdict when nothing else changes.

    Attributes:
        judge: Its name.
        source: What it was measured on: `samples` within a run, or two `runs`.
        leaves: Leaves with two verdicts or more.
        rate: Share of pairs of verdicts on a leaf that differ.
        interval: Of the rate, by Wilson's method.
        points: Second run's score less the first's, in points of 100, of two `runs` that have a
            grade on the same leaves; else None.
    """

    judge: str
    source: str
    leaves: int
    rate: float
    interval: Interval
    points: float | None = None


def flip_rates(
    first: Report, second: Report, test: PairedTest, repeats: Iterable[Report]
) -> list[FlipRate]:
    """The flip rates of two runs' judges, as far as they are known.

    Args:
        first: Run A.
        second: Run B.
        test: What `paired_test` says of them.
        repeats: Further runs of either judge on the same submission and rubric.

    Raises:
        RunError: A repeat is a run of something else.
    """
    sides = {_identity(side): side for side in (second, first) if _identity(side) is not None}
    judges = dict.fromkeys(_judge(side) for side in (first, second))
    found = [
        _flips_of_samples(
            name, [side for side in (first, second) if _judge(side) == (name, fingerprint)]
        )
        for name, fingerprint in judges
    ]
    if is_same_judge(first, second):
        found.append(_flips_between(first, second, test))
    for repeat in repeats:
        side = sides.get(_identity(repeat))
        if side is None:
            raise _no_repeat(repeat, first, second)
        found.append(_flips_of_repeat(side, repeat))
    return [one for one in found if one is not None]


def _flips_of_repeat(side: Report, repeat: Report) -> FlipRate | None:
    shared = align(side.rubric, repeat.rubric)
    require_alike(side, repeat, shared)
    return _flips_between(
        side, repeat, paired_test(side, repeat, leaf_kinds(side, repeat, shared), ())
    )


def _judge(report: Report) -> tuple[str, str]:
    """Name and fingerprint of a run's judge."""
    return str(fact(report, "judge", "name")), str(fact(report, "judge", "fingerprint"))


def is_same_judge(first: Report, second: Report) -> bool:
    """Whether two runs are of one judge on one submission and rubric, all of them known."""
    return _identity(first) is not None and _identity(first) == _identity(second)


def _identity(report: Report) -> tuple[str, ...] | None:
    """All that a judge's verdicts rest on but chance; None where it is not known.

    A script that ran anew may have left something else, so what it left is part of it.
    """
    judge = fact(report, "judge", "fingerprint")
    executed = fact(report, "execution", "submission_sha256")
    submission = fact(report, "submission_sha256")
    if judge is None or submission is None:
        return None
    return judge, submission, executed or "none", report.rubric.sha256


def _no_repeat(repeat: Report, first: Report, second: Report) -> RunError:
    names = ("judge", "submission", "executed submission", "rubric")
    looked = []
    for side, one in (("repeat", repeat), ("A", first), ("B", second)):
        known = _identity(one) or ("unknown",) * len(names)
        hashes = (f"{name} {text[:12]}" for name, text in zip(names, known, strict=True))
        looked.append(f"{side}: {', '.join(hashes)}")
    return RunError(
        "the repeat is no second run of either judge on the same submission and rubric",
        code="E574",
        looked=looked,
        fix=["rubric-engine compare A B   without --repeat, or with a run like A's or B's"],
    )


def _flips_of_samples(judge: str, reports: Iterable[Report]) -> FlipRate | None:
    """How often the samples of a judge differ; None where it took no two of any leaf.

    Args:
        judge: Its name.
        reports: Its runs.
    """
    verdicts = [
        [float(score >= MET_FROM) for score in grade.samples]
        for report in reports
        for grade in report.grades.values()
        if grade.samples
    ]
    # A run does not say whether its judge stops at a lead; of the first two nobody stops early.
    uneven = len({len(row) for row in verdicts}) > 1
    found = samples_compared(verdicts, first_two=uneven)
    if found is None or found.consistency.agreement is None:
        return None
    return _rate(judge, "samples", found.consistency.leaves, 1 - found.consistency.agreement)


def _flips_between(first: Report, second: Report, test: PairedTest) -> FlipRate | None:
    """How often two runs of one judge differ; None where they share no graded leaf.

    Args:
        first: One run.
        second: One of the same judge on the same submission.
        test: What `paired_test` says of them.
    """
    a, b = first.score.value, second.score.value
    known = a is not None and b is not None and _are_graded_alike(first, second)
    points = 100 * ((b or 0.0) - (a or 0.0)) if known else None
    judge, _ = _judge(first)
    return None if test.flips is None else _rate(judge, "runs", test.leaves, test.flips, points)


def _are_graded_alike(first: Report, second: Report) -> bool:
    """Whether two runs of one rubric have a grade on the same leaves: a lost one is no verdict."""
    leaves = first.rubric.leaves()
    return all((first.verdict(key) == "open") == (second.verdict(key) == "open") for key in leaves)


def _rate(
    judge: str, source: str, leaves: int, rate: float, points: float | None = None
) -> FlipRate:
    rate = min(max(rate, 0.0), 1.0)
    return FlipRate(judge, source, leaves, rate, binomial_interval(rate * leaves, leaves), points)
