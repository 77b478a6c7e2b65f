"""Chart 3: what judges cost, and how good they are for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubric_engine.judgeeval.charts.layout import (
    MARGIN,
    SMALL,
    TOP,
    WIDTH,
    finished,
    key,
    ticks_below,
    ticks_left,
)
from rubric_engine.judgeeval.charts.marks import (
    Cell,
    Chart,
    Circle,
    Key,
    Mark,
    Polyline,
    Table,
    Text,
    line,
)
from rubric_engine.judgeeval.charts.placing import Box, Wanted, covered, placed
from rubric_engine.judgeeval.charts.scales import Scale, around, decades, log_ticks, tenths
from rubric_engine.judgeeval.charts.subjects import (
    NOBODY,
    Cast,
    remarks,
    size,
)
from rubric_engine.judgeeval.charts.words import clip, dollars, fixed, short
from rubric_engine.judgeeval.cost import Priced, costs, front
from rubric_engine.judgeeval.rows import Measured
from rubric_engine.judgeeval.slices import slice_of

TITLE = "Macro F1 against cost per submission"
LEFT, RIGHT, UPPER, LOWER = 66.0, 640.0, TOP + 16, TOP + 336
FREE = 64.0
"""Room for judges that cost nothing, which a log axis has no place for."""
BESIDE = 662.0
NOTES = (
    "Right is dearer (log scale), up is better. The dashed line joins the judges that no other "
    "beats at the same or a lower cost; it is drawn among judges on the same leaves only.",
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A judge, what a submission costs with it, and how good it is.

    Attributes:
        name: The judge.
        usd: Dollars for a submission; None where that is unknown.
        f1: Pooled macro F1; None where it is undefined.
        ground: Number of its set of leaves, from 0.
        ranked: False while cases are still to be judged.
    """

    name: str
    usd: float | None
    f1: float | None
    ground: int
    ranked: bool


def cost_chart(cast: Cast) -> Chart:
    """Draw macro F1 against dollars for a submission, with the judges that are worth buying.

    Judges without a price are listed beside, never drawn at 0.
    """
    judges = cast.judges
    if not judges:
        return Chart("cost", TITLE, None, NOBODY)
    sets = [ground.judges for ground in cast.grounds]
    offers = [_offer(judge, number) for number, group in enumerate(sets) for judge in group]
    drawn = [(one, one.usd, one.f1) for one in offers if one.usd is not None and one.f1 is not None]
    if not drawn:
        return Chart("cost", TITLE, None, "no judge has both a known price and a macro F1")
    plane = _Plane.around([(usd, f1) for _, usd, f1 in drawn])
    fronts = [_front(offers, number) for number in range(len(sets))]
    lines = [*_lines(fronts, plane), *plane.strip()]
    marks = [*key(_KEY), *plane.axes(), *lines, *_dots(drawn, plane, lines)]
    marks += _beside([one for one in offers if one.usd is None or one.f1 is None])
    described = "A scatter chart. " + " ".join(
        f"{short(one.name)}: {dollars(usd)}, macro F1 {fixed(f1)}." for one, usd, f1 in drawn
    )
    notes = [*NOTES, *_sets(sets), *remarks(judges)]
    figure = finished(
        TITLE, described, marks, bottom=LOWER + 38, notes=notes, table=_table(offers, fronts)
    )
    return Chart("cost", TITLE, figure)


_KEY: Key = (
    ("dot", "here", "a judge"),
    ("hollow", "here", "not complete, not ranked"),
    ("dashed", "anew", "no cheaper judge is better"),
)


def _offer(judge: Measured, number: int) -> Offer:
    pairs = judge.pairs
    f1 = slice_of(pairs).headline.f1
    return Offer(judge.name, costs(pairs).per_submission, f1, number, judge.evaluation.complete)


def _front(offers: Iterable[Offer], number: int) -> tuple[Priced, ...]:
    return front(
        (one.name, one.usd, one.f1)
        for one in offers
        if one.ground == number and one.ranked and one.usd is not None and one.f1 is not None
    )


@dataclass(frozen=True, slots=True)
class _Plane:
    """Axes; the left strip is for judges that cost nothing."""

    x: Scale | None
    y: Scale
    free: bool

    @classmethod
    def around(cls, points: Sequence[tuple[float, float]]) -> _Plane:
        paid = [usd for usd, _ in points if usd > 0]
        free = len(paid) < len(points)
        start = LEFT + FREE if free else LEFT
        x = Scale(*decades(paid), start, RIGHT, log=True) if paid else None
        y = Scale(*around(f1 for _, f1 in points), LOWER, UPPER)
        return cls(x, y, free)

    def at(self, usd: float, f1: float) -> tuple[float, float]:
        x = LEFT + FREE / 3 if usd == 0 or self.x is None else self.x.at(usd)
        return x, self.y.at(f1)

    def strip(self) -> Iterable[Polyline]:
        if self.free and self.x is not None:
            yield line(self.x.start - 20, UPPER, self.x.start - 20, LOWER, "muted")

    def axes(self) -> Iterable[Mark]:
        yield from ticks_left(self.y, tenths(self.y.low, self.y.high), LEFT, RIGHT, _tick)
        yield Text(MARGIN, UPPER - 10, "macro F1", "muted", SMALL)
        if self.x is not None:
            ticks = log_ticks(self.x.low, self.x.high)
            yield from ticks_below(self.x, ticks, UPPER, LOWER, _price)
        if self.free:
            yield Text(LEFT + FREE / 3, LOWER + 14, "$0", "muted", SMALL, "middle")
        where = (LEFT + RIGHT) / 2
        yield Text(where, LOWER + 32, "dollars for a submission", "muted", SMALL, "middle")


def _tick(value: float) -> str:
    return fixed(value, 1)


def _price(value: float) -> str:
    return f"${value:,.12f}".rstrip("0").rstrip(".")


def _lines(fronts: Iterable[Sequence[Priced]], plane: _Plane) -> Iterable[Polyline]:
    for row in fronts:
        if len(row) < 2:
            continue
        steps: list[tuple[float, float]] = []
        for one in row:
            x, y = plane.at(one.cost, one.value)
            steps += [(x, steps[-1][1])] if steps else []
            steps.append((x, y))
        yield Polyline(tuple(steps), "anew", 1.6, dashed=True)


def _dots(
    drawn: Sequence[tuple[Offer, float, float]], plane: _Plane, lines: Iterable[Polyline]
) -> Iterable[Mark]:
    wanted = []
    for one, usd, f1 in drawn:
        x, y = plane.at(usd, f1)
        tip = (one.name, f"{dollars(usd)} for a submission, macro F1 {fixed(f1)}")
        yield Circle(x, y, 5, "here", not one.ranked, tip)
        wanted.append(Wanted(x, y, one.name))
    yield from placed(wanted, avoid=covered(lines), inside=Box(LEFT, UPPER - 8, RIGHT + 6, LOWER))


def _beside(offers: Sequence[Offer]) -> Iterable[Mark]:
    """Judges that have no place on the plane, each with the reason."""
    if not offers:
        return
    room = WIDTH - MARGIN - BESIDE
    yield Text(BESIDE, UPPER + 8, "Not on the chart", size=SMALL, bold=True)
    most = int((LOWER - UPPER - 40) / 34)
    for number, one in enumerate(offers[:most]):
        y = UPPER + 30 + 34 * number
        reason = "unpriced" if one.usd is None else "no labelled leaf"
        yield Text(BESIDE, y, clip(one.name, room, SMALL), size=SMALL, tip=(one.name,))
        yield Text(BESIDE, y + 14, f"{reason}, F1 {fixed(one.f1)}", "muted", 10)
    if len(offers) > most:
        more = f"and {len(offers) - most} more, in the data"
        yield Text(BESIDE, UPPER + 30 + 34 * most, more, "muted", SMALL)


def _sets(sets: Sequence[Sequence[Measured]]) -> Iterable[str]:
    if len(sets) > 1:
        yield "Judges were measured on different leaves, so these are not to be ranked together:"
        for group in sets:
            names = ", ".join(clip(judge.name, 160, SMALL) for judge in group)
            yield f"{size(group[0])}: {names}."


def _table(offers: Sequence[Offer], fronts: Sequence[Sequence[Priced]]) -> Table:
    best = {one.judge: one for row in fronts for one in row}

    def cells(one: Offer) -> tuple[Cell, ...]:
        kept = best.get(one.name)
        return (
            one.name,
            one.ground + 1,
            one.usd,
            one.f1,
            "yes" if kept else "no",
            kept.per_hundredth if kept else None,
        )

    headers = (
        "judge",
        "set of leaves",
        "$ per submission",
        "macro F1",
        "on the line",
        "$ for a further 0.01",
    )
    return Table(headers, tuple(map(cells, offers)))
