"""The difference of two scores, split into its causes. Pure.

Every group shares its difference among its children (`sharing`), from the root down. What reaches
a leaf is the work of what happened to that leaf; what other weights or another aggregate do stays
with the group; a criterion that counts on one side only keeps what its coming or leaving does.

Under a weighted mean, what a child does is so many times its own difference, and all below it is
worth that much more or less. Under any other aggregate no such number holds: there, what the child
does is shared by those below it that pulled the same way, in proportion.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rubric_engine.comparing.aligning import Alignment
from rubric_engine.comparing.kinds import Kind, LeafKind
from rubric_engine.comparing.sharing import MEAN, Share, share_out
from rubric_engine.comparing.stepping import Counted
from rubric_engine.result import Report


@dataclass(frozen=True, slots=True)
class Cause:
    """One part of the difference.

    Attributes:
        a: Key of the criterion in the first rubric, where it has one.
        b: Key in the second, where it has one.
        kind: What happened to it.
        points: What that did to the score, in points of 100.
    """

    a: str | None
    b: str | None
    kind: Kind
    points: float


@dataclass(slots=True)
class _Twin:
    """A criterion that stands on both sides: what is its own, and what reaches it from below.

    `rising` and `falling` are the sums of all parts above and below 0, as points of the
    criterion's own score from 0 to 1.
    """

    own: list[tuple[str | None, str | None, Kind, float]] = field(default_factory=list)
    below: list[tuple[str, float, float]] = field(default_factory=list)
    rising: float = 0.0
    falling: float = 0.0

    def add(self, a: str | None, b: str | None, kind: Kind, part: float) -> None:
        if part:
            self.own.append((a, b, kind, part))
            self._count(part, part)

    def take(self, key: str, twin: _Twin, rising: float, falling: float) -> None:
        """Pass parts of a child on, each sign by its own factor."""
        self.below.append((key, rising, falling))
        self._count(rising * twin.rising, falling * twin.falling)

    def _count(self, up: float, down: float) -> None:
        self.rising += max(up, 0.0)
        self.falling += min(down, 0.0)


def split(
    first: Report, second: Report, shared: Alignment, kinds: Sequence[LeafKind]
) -> tuple[Cause, ...]:
    """Split the second score less the first.

    Args:
        first: One run.
        second: Another one, under the same policy; both roots have a score.
        shared: What their rubrics share.
        kinds: What happened to each leaf.

    Returns:
        The causes; their points add up to the difference, up to rounding.
    """
    root, other = first.rubric.root, second.rubric.root
    before, after = first.scores[root].value, second.scores[other].value
    if before is None or after is None:  # only a disqualified run has a score all the same
        gap = (second.score.value or 0.0) - (first.score.value or 0.0)
        return (Cause(root, other, "disqualified", 100 * gap),) if gap else ()
    rows = list(_disqualified(first, second))
    if root not in shared.twins:
        return (*rows, Cause(root, other, "text_changed", 100 * (after - before)))
    walk = _Walk(first, second, shared, kinds)
    return (*rows, *walk.causes())


def _disqualified(first: Report, second: Report) -> Iterator[Cause]:
    """A run that is disqualified has a score of 0 in place of what it earned."""
    points = 100 * (_lost(first) - _lost(second))
    if points:  # of two that lost the same, nothing comes of it
        yield Cause(first.rubric.root, second.rubric.root, "disqualified", points)


def _lost(report: Report) -> float:
    earned = report.scores[report.rubric.root].value or 0.0
    return earned if report.disqualified is not None else 0.0


_REASONS: tuple[tuple[Kind, ...], tuple[Kind, ...]] = (
    ("text_changed", "applies", "became_ungradeable", "removed"),
    ("text_changed", "applies", "became_gradeable", "added"),
)
"""Why a group counts on the first side only, or on the second: the first of these that happened
to a leaf below it."""


class _Walk:
    """Two trees, walked side by side."""

    def __init__(
        self, first: Report, second: Report, shared: Alignment, kinds: Sequence[LeafKind]
    ) -> None:
        self.trees = (first.rubric, second.rubric)
        self.scores = (first.scores, second.scores)
        self.shared = shared
        self.kinds: tuple[dict[str, Kind], dict[str, Kind]] = (
            {one.a: one.kind for one in kinds if one.a is not None},
            {one.b: one.kind for one in kinds if one.b is not None},
        )
        self.origin = {b: a for a, b in shared.match.items()}

    def causes(self) -> Iterator[Cause]:
        """The causes, in document order of the groups that they belong to."""
        twins: dict[str, _Twin] = {}
        for key in reversed(self.trees[0].order):
            if key in self.shared.twins and self._gap(key) is not None:
                twins[key] = (
                    self._leaf(key) if self.trees[0].is_leaf(key) else self._group(key, twins)
                )
        pending = [(self.trees[0].root, 1.0, 1.0)]
        while pending:
            key, rising, falling = pending.pop()
            twin = twins[key]
            for a, b, kind, part in twin.own:
                yield Cause(a, b, kind, 100 * part * (rising if part > 0 else falling))
            pending.extend(
                (child, rising * up, falling * down) for child, up, down in reversed(twin.below)
            )

    def _gap(self, key: str) -> float | None:
        """Second score less first; None where the criterion has no score on a side."""
        before = self.scores[0][key].value
        after = self.scores[1][self.shared.twins[key]].value
        return None if before is None or after is None else after - before

    def _leaf(self, key: str) -> _Twin:
        twin = _Twin()
        twin.add(key, self.shared.twins[key], self.kinds[0][key], self._gap(key) or 0.0)
        return twin

    def _group(self, key: str, twins: Mapping[str, _Twin]) -> _Twin:
        other = self.shared.twins[key]
        children = [*self._children(key, other)]
        sides = [(self._counted(0, a), self._counted(1, b)) for a, b in children]
        aggregates = tuple(
            tree[node].aggregate or MEAN
            for tree, node in zip(self.trees, (key, other), strict=True)
        )
        shares = share_out(sides, (aggregates[0], aggregates[1]))
        twin = _Twin()
        twin.add(key, other, "weight_changed", shares.weights)
        twin.add(key, other, "aggregate_changed", shares.aggregate)
        for (a, b), share in zip(children, shares.children, strict=True):
            if share.counted:
                twin.add(*self._wherever(a, b), self._why_counted(a, b), share.counted)
            elif a is not None and b is not None and a in twins:
                self._pass_on(twin, a, b, share, twins[a])
        return twin

    def _pass_on(self, twin: _Twin, a: str, b: str, share: Share, child: _Twin) -> None:
        if share.factor is not None:
            twin.take(a, child, share.factor, share.factor)
        elif share.scored:
            pull = child.rising if share.scored > 0 else child.falling
            ratio = share.scored / pull if pull else 0.0
            if not pull or not math.isfinite(ratio):  # the child's difference is rounding alone
                twin.add(a, b, "weight_changed", share.scored)
            else:
                twin.take(a, child, *((ratio, 0.0) if share.scored > 0 else (0.0, ratio)))

    def _children(self, key: str, other: str) -> Iterator[tuple[str | None, str | None]]:
        """Children of a group on either side, twins together."""
        twins = self.shared.twins
        for child in self.trees[0].children(key):
            yield child, twins.get(child)
        known = {twins.get(child) for child in self.trees[0].children(key)}
        yield from ((None, c) for c in self.trees[1].children(other) if c not in known)

    def _counted(self, side: int, key: str | None) -> Counted:
        if key is None:
            return None
        weight, score = self.trees[side][key].weight, self.scores[side][key].value
        return None if score is None or not weight else (weight, score)

    def _wherever(self, a: str | None, b: str | None) -> tuple[str | None, str | None]:
        """The keys of a criterion, also where it stands elsewhere on the other side."""
        return (a or self.origin.get(b or ""), b or self.shared.match.get(a or ""))

    def _why_counted(self, a: str | None, b: str | None) -> Kind:
        """Why a criterion counts on one side only."""
        if a is None or b is None:
            elsewhere = a in self.shared.match or b in self.origin
            return "text_changed" if elsewhere else "removed" if b is None else "added"
        if not self.trees[0][a].weight or not self.trees[1][b].weight:
            return "weight_changed"
        side = 0 if self._counted(0, a) else 1
        below = {self.kinds[side][leaf] for leaf in self._leaves(side, (a, b)[side])}
        return next((kind for kind in _REASONS[side] if kind in below), "weight_changed")

    def _leaves(self, side: int, top: str) -> Iterator[str]:
        pending = [top]
        while pending:
            key = pending.pop()
            if self.trees[side].is_leaf(key):
                yield key
            pending.extend(self.trees[side].children(key))
