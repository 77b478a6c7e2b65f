"""Two runs, leaf by leaf: what happened, what that did to the score, and if it is noise. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rubric_engine.comparing.aligning import align
from rubric_engine.comparing.causes import Cause, split
from rubric_engine.comparing.flips import FlipRate, flip_rates, is_same_judge
from rubric_engine.comparing.kinds import KINDS, Kind, LeafKind, leaf_kinds
from rubric_engine.comparing.likeness import Unlike, require_alike, what_is_unlike
from rubric_engine.comparing.noise import PairedTest, paired_test
from rubric_engine.metrics import MetricChange, metric_changes
from rubric_engine.result import Report


@dataclass(frozen=True, slots=True)
class Gap:
    """The second score less the first, in points of 100.

    Attributes:
        value: By the policy of both runs; None where a side has no score.
        low: The least it can be, whatever leaves without a grade would get; None likewise.
        high: The most it can be.
        low_to_low: From the low end of the first score to that of the second: what it is where
            every leaf without a grade counts as 0.
        why: Why there is no value.
    """

    value: float | None
    low: float | None
    high: float | None
    low_to_low: float | None
    why: str | None = None

    @property
    def is_exact(self) -> bool:
        """Whether no leaf without a grade leaves it open."""
        return self.low is not None and self.low == self.high


@dataclass(frozen=True, slots=True)
class KindRow:
    """All that was of one kind.

    Attributes:
        kind: What happened.
        leaves: Leaves to which it happened, and nothing before it in the order of kinds.
        points: What it did to the score, on leaves and on groups; None where nothing is split.
    """

    kind: Kind
    leaves: int
    points: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """A criterion that did something to the difference, or to which something happened.

    Attributes:
        a: Its key in the first rubric, where it has one.
        b: Its key in the second.
        kind: What happened to it; of a group, what it did most by.
        points: What it did to the score, in points of 100; None where nothing is split.
        by_kind: The same by cause.
    """

    a: str | None
    b: str | None
    kind: Kind
    points: float | None
    by_kind: Mapping[Kind, float]


@dataclass(frozen=True)
class Comparison:
    """Two runs, compared.

    Attributes:
        first: Run A.
        second: Run B.
        gap: The difference of their scores, B less A.
        kinds: One row for each kind that occurs, in the order of `KINDS`; leaves add up to all
            leaves of both rubrics, and points to `gap.value`.
        leaves: What happened to each leaf.
        changes: What did something to the difference, the most first; then leaves that changed
            and did nothing.
        metrics: The metrics that are not the same in both.
        test: Whether the grades differ by more than chance.
        same_judge: Whether both are the same judge on the same submission and rubric, so that
            what differs is the judge's own noise.
        flip_rates: The judges' own flip rates, where they are known.
        unlike: In what else the runs are not alike.
    """

    first: Report
    second: Report
    gap: Gap
    kinds: tuple[KindRow, ...]
    leaves: tuple[LeafKind, ...]
    changes: tuple[Change, ...]
    metrics: tuple[MetricChange, ...]
    test: PairedTest
    same_judge: bool
    flip_rates: tuple[FlipRate, ...]
    unlike: tuple[Unlike, ...]


def compare(
    first: Report, second: Report, *, repeats: Iterable[Report] = (), seed: int = 0
) -> Comparison:
    """Compare two runs of a rubric, or of two editions of it.

    Args:
        first: Run A.
        second: Run B; differences are B less A.
        repeats: Further runs of A's or B's judge on the same submission and rubric, which show how
            often that judge changes its mind.
        seed: The same seed gives the same interval.

    Raises:
        RunError: The runs are of unlike rubrics, modes or policies, or a repeat is none.
    """
    shared = align(first.rubric, second.rubric)
    require_alike(first, second, shared)
    gap = _gap(first, second)
    leaves = leaf_kinds(first, second, shared)
    causes = split(first, second, shared, leaves) if gap.value is not None else ()
    test = paired_test(first, second, leaves, causes, seed=seed)
    return Comparison(
        first=first,
        second=second,
        gap=gap,
        kinds=_kind_rows(leaves, causes, gap),
        leaves=leaves,
        changes=tuple(_changes(leaves, causes, gap)),
        metrics=metric_changes(first.metrics, second.metrics),
        test=test,
        same_judge=is_same_judge(first, second),
        flip_rates=tuple(flip_rates(first, second, test, repeats)),
        unlike=what_is_unlike(first, second),
    )


def _gap(first: Report, second: Report) -> Gap:
    a, b = first.bounds, second.bounds
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Gap(None, None, None, None, "no leaf is left to score in one of the runs")
    before, after = first.score.value, second.score.value
    known = before is not None and after is not None
    return Gap(
        value=100 * ((after or 0.0) - (before or 0.0)) if known else None,
        low=100 * (b.low - a.high),
        high=100 * (b.high - a.low),
        low_to_low=100 * (b.low - a.low),
        why=None if known else "no leaf of one of the runs is graded",
    )


def _kind_rows(
    leaves: Sequence[LeafKind], causes: Sequence[Cause], gap: Gap
) -> tuple[KindRow, ...]:
    counts = {kind: sum(one.kind == kind for one in leaves) for kind in KINDS}
    parts = {kind: [one.points for one in causes if one.kind == kind] for kind in KINDS}
    split_up = gap.value is not None
    return tuple(
        KindRow(kind, counts[kind], math.fsum(parts[kind]) if split_up else None)
        for kind in KINDS
        if counts[kind] or parts[kind]
    )


def _changes(leaves: Sequence[LeafKind], causes: Sequence[Cause], gap: Gap) -> list[Change]:
    """Criteria with a part in the difference by its size, then leaves that changed without one."""
    parts: dict[tuple[str | None, str | None], dict[Kind, float]] = {}
    for cause in causes:
        own = parts.setdefault((cause.a, cause.b), {})
        own[cause.kind] = own.get(cause.kind, 0.0) + cause.points
    happened = {(one.a, one.b): one.kind for one in leaves}
    for one in leaves:
        if one.kind not in ("same", "open"):
            parts.setdefault((one.a, one.b), {})
    found = [
        Change(
            a=a,
            b=b,
            kind=happened.get((a, b)) or _most(own),
            points=math.fsum(own.values()) if gap.value is not None else None,
            by_kind=MappingProxyType(own),
        )
        for (a, b), own in parts.items()
    ]
    return sorted(found, key=lambda one: -abs(one.points or 0.0))


def _most(parts: Mapping[Kind, float]) -> Kind:
    return max(parts, key=lambda kind: abs(parts[kind]))
