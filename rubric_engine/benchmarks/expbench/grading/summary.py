"""The table over answers: every figure with its own denominator and an interval by paper. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rubric_engine.benchmarks.expbench.grading.parts import (
    CHAIN,
    CONJUNCTIONS,
    JUDGED,
    PARTS,
    Part,
    parts_of,
)
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
from rubric_engine.judgeeval.intervals import (
    ROUNDING,
    Interval,
    no_interval,
    t_quantile,
)
from rubric_engine.judgeeval.paired_tests import clustered_error

_METHOD = "t, by paper"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure over the answers.

    Attributes:
        name: Such as ``D``, ``All.E`` or ``D %``.
        says: What it is, in words.
        value: The mean over the answers of which it is defined; None without one.
        n: How many these are.
        undefined: How many answers it is undefined of; they are in no denominator.
        low: If every undefined one had failed.
        high: If every one had passed.
        interval: Where the value would lie for new papers.
    """

    name: str
    says: str
    value: float | None
    n: int
    undefined: int
    low: float
    high: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures.

    Attributes:
        tau: The share from which on D, I and C hold.
        questions: How many questions there are.
        papers: Of how many papers.
        answers: How many answers are whole, hold a part of what is due, and hold nothing to grade.
        shares: Mean shares of D, I and C.
        parts: How many hold each part.
        conjunctions: The benchmark's own conjunctions.
        chain: The chain that begins with the monitor.
        undefined: By part, why it is undefined, and how often.
    """

    tau: float
    questions: int
    papers: int
    answers: Mapping[str, int]
    shares: tuple[Row, ...]
    parts: tuple[Row, ...]
    conjunctions: tuple[Row, ...]
    chain: tuple[Row, ...]
    undefined: Mapping[Part, Mapping[str, int]]

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Every row with the name of its table."""
        for name in ("shares", "parts", "conjunctions", "chain"):
            for row in getattr(self, name):
                yield name, row


def summarise(answers: Sequence[AnswerOutcome], tau: float = 1.0) -> Summary:
    """Make the table.

    Args:
        answers: One a question; those that are missing included.
        tau: The share from which on D, I and C hold, above 0 and up to 1.
    """
    papers = [answer.paper for answer in answers]
    found = [answer.metrics(tau) for answer in answers]

    def held(name: str) -> Row:
        values = [each[name] for each in found]
        known = [None if value is None else float(value) for value in values]
        bounds = [(0.0, 1.0) if value is None else (value, value) for value in known]
        return _row(name, _says(parts_of(name)), known, bounds, papers)

    counts = Counter(answer.answer for answer in answers)
    return Summary(
        tau=tau,
        questions=len(answers),
        papers=len(set(papers)),
        answers={name: counts[name] for name in ("whole", "part", "none")},
        shares=tuple(_share(part, answers, papers) for part in JUDGED),
        parts=tuple(map(held, PARTS)),
        conjunctions=tuple(map(held, CONJUNCTIONS)),
        chain=tuple(map(held, CHAIN)),
        undefined={part: _whys(part, answers, found) for part in PARTS},
    )


def _says(parts: Sequence[Part]) -> str:
    """What a row is of: one part by its name, several by their letters."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else PARTS[last]


def _share(part: Part, answers: Sequence[AnswerOutcome], papers: Sequence[str]) -> Row:
    found = [answer.share(part) for answer in answers]
    bounds = [(share.low, share.high) for share in found]
    name = f"{part} %"
    return _row(name, f"{PARTS[part]} share", [s.value for s in found], bounds, papers)


def _whys(
    part: Part, answers: Sequence[AnswerOutcome], found: Sequence[Mapping[str, bool | None]]
) -> Mapping[str, int]:
    pairs = zip(answers, found, strict=True)
    counts = Counter(answer.why(part) for answer, known in pairs if known[part] is None)
    return MappingProxyType(dict(counts.most_common()))


def _row(
    name: str,
    says: str,
    values: Sequence[float | None],
    bounds: Sequence[tuple[float, float]],
    papers: Sequence[str],
) -> Row:
    known = [(v, paper) for v, paper in zip(values, papers, strict=True) if v is not None]
    many = max(1, len(values))
    return Row(
        name=name,
        says=says,
        value=math.fsum(value for value, _ in known) / len(known) if known else None,
        n=len(known),
        undefined=len(values) - len(known),
        low=math.fsum(low for low, _ in bounds) / many,
        high=math.fsum(high for _, high in bounds) / many if bounds else 1.0,
        interval=by_paper([value for value, _ in known], [paper for _, paper in known]),
    )


def by_paper(values: Sequence[float], papers: Sequence[str]) -> Interval:
    """Where a mean would lie for new papers, as questions of one paper hang together.

    The cluster-robust error of a mean (Miller, arXiv 2411.00640), times ``sqrt(g / (g - 1))`` for
    g papers, and Student's t with g - 1 degrees of freedom; cut at 0 and at 1.

    Args:
        values: One a question.
        papers: The paper of each.
    """
    codes = {paper: code for code, paper in enumerate(dict.fromkeys(papers))}
    many = len(codes)
    if many < 2:
        why = "one paper says nothing of new ones" if many else "no answer has a value"
        return no_interval("new papers", _METHOD, many, why)
    array = np.array(values, dtype=float)
    error = clustered_error(array, np.array([codes[paper] for paper in papers]))
    error *= math.sqrt(many / (many - 1))
    if error <= ROUNDING:
        why = "nothing shows how far papers differ"
        return no_interval("new papers", _METHOD, many, why)
    mean, half = math.fsum(values) / len(values), t_quantile(many - 1) * error
    return Interval(max(0.0, mean - half), min(1.0, mean + half), "new papers", _METHOD, many)
