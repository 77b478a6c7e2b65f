"""How often a judge that is asked until one verdict leads by two is asked, and how often it errs.

    python -m benchmarks.judgeeval.sampling                 # some twenty seconds
    python -m benchmarks.judgeeval.sampling --leaves 2000

`Repeat` asks a made-up judge. Once each sample is right with the same chance, independent of the
others: Wald's formulas tell what comes of it (`lead_by`). Once a leaf's chance is drawn from a Beta
distribution, as errors of one judge repeat: then a majority of five tells what a lead may gain.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from statistics import fmean

from benchmarks.row import Row
from rubric_engine import Case, Criterion, Grade, JudgeCard, Rubric, Task
from rubric_engine.judgeeval import lead_by, majority_error
from rubric_engine.judgeeval.cases.case import AbsentSubmission
from rubric_engine.judges.combine import Repeat
from rubric_engine.judges.combine.repeat import RepeatVote

RIGHT = 0.83
ERROR, CORRELATION = 465 / 2693, 0.6
UNCAPPED = 99
SIGMAS = 4.0
"""Standard errors by which a mean may stray before a row is missed."""

LEAD_CAP_5 = 0.1615, 2.27
"""Error and mean calls of a lead by two with a cap of five, from 400,000 simulated leaves."""


class MadeUpJudge:
    """Is right about a leaf with a chance of its own; every leaf is met.

    Args:
        chance: The chance by the leaf's number.
    """

    def __init__(self, chance: Callable[[int], float]) -> None:
        self.card = JudgeCard(kind="benchmarks:MadeUpJudge", name="made-up")
        self.chance = chance

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        for leaf in leaves:
            right = uniform(leaf.key, sample) < self.chance(int(leaf.key))
            yield leaf.key, Grade.graded(float(right))


def uniform(*parts: object) -> float:
    """A number from 0 to 1 that follows from its arguments."""
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=7).digest()
    return int.from_bytes(digest) / 2**56


def main() -> None:
    """Print one line for each rule of stopping."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=40_000)
    for row in sampling_rows(parser.parse_args().leaves):
        print(row, flush=True)


def sampling_rows(leaves: int) -> Iterator[Row]:
    """Let a made-up judge be sampled, and hold means against what is predicted."""
    wald = lead_by(2, RIGHT)
    grades = sampled(leaves, lambda _: RIGHT, UNCAPPED, "lead_by")
    yield _mean("lead by 2, independent: calls", _calls(grades), wald.calls)
    yield _mean("lead by 2, independent: error", _errors(grades), 1 - wald.right)
    drawn = beta_chances(leaves)
    grades = sampled(leaves, drawn.__getitem__, 5, "lead_by")
    yield _mean("lead by 2, cap 5, rho 0.6: calls", _calls(grades), LEAD_CAP_5[1])
    yield _mean("lead by 2, cap 5, rho 0.6: error", _errors(grades), LEAD_CAP_5[0])
    grades = sampled(leaves, drawn.__getitem__, 5, "majority")
    expected = majority_error(5, ERROR, CORRELATION)
    yield _mean("majority of 5, rho 0.6: error", _errors(grades), expected)


def beta_chances(leaves: int) -> list[float]:
    """A chance to be right for each leaf, whose errors repeat with `CORRELATION`."""
    from scipy.stats import beta

    size = (1 - CORRELATION) / CORRELATION
    ranks = [uniform("chance", leaf) for leaf in range(leaves)]
    return [float(chance) for chance in beta.ppf(ranks, (1 - ERROR) * size, ERROR * size)]


def sampled(
    leaves: int, chance: Callable[[int], float], most: int, vote: RepeatVote
) -> list[Grade]:
    """Grades of leaves by a judge that is asked again."""
    criteria = [_leaf(number) for number in range(leaves)]
    root = Criterion(id="root", key="root", requirements="All of it")
    rubric = Rubric.build([(None, root), *(("root", leaf) for leaf in criteria)])
    case = Case(Task("made up", rubric), AbsentSubmission("none"), None)
    repeat = Repeat(MadeUpJudge(chance), JudgeCard(kind="repeat", name="again"), most, vote)

    async def collect() -> list[Grade]:
        return [grade async for _, grade in repeat.grade(criteria, case)]

    return asyncio.run(collect())


def _leaf(number: int) -> Criterion:
    fields = {"id": str(number), "key": str(number), "requirements": "It works"}
    return Criterion.model_validate(fields | {"task_category": "Code Development"})


def _calls(grades: Sequence[Grade]) -> list[float]:
    return [float(len(grade.samples)) for grade in grades]


def _errors(grades: Sequence[Grade]) -> list[float]:
    return [1 - (grade.score or 0.0) for grade in grades]


def _mean(name: str, values: Sequence[float], expected: float) -> Row:
    mean = fmean(values)
    error = math.sqrt(fmean((value - mean) ** 2 for value in values) / len(values))
    # The last digit of a prediction may be rounded.
    kept = abs(mean - expected) <= SIGMAS * error + 0.005 * expected
    figure = f"{mean:.4f} +- {error:.4f} of {len(values):,} leaves"
    return Row(name, figure, kept, f"{expected:.4f}")


if __name__ == "__main__":
    main()
