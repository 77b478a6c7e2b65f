"""Chart 6: each submission on its own, so that a large one does not hide the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubric_engine.judgeeval.charts.layout import (
    INSIDE,
    MARGIN,
    SMALL,
    TOP,
    WIDTH,
    finished,
    key,
    spanned,
    ticks_below,
)
from rubric_engine.judgeeval.charts.marks import (
    Cell,
    Chart,
    Circle,
    Key,
    Mark,
    Role,
    Table,
    Text,
    line,
)
from rubric_engine.judgeeval.charts.scales import Scale, around, tenths
from rubric_engine.judgeeval.charts.subjects import NOBODY, Cast, remarks
from rubric_engine.judgeeval.charts.words import between, clip, counted, fixed, short
from rubric_engine.judgeeval.intervals import Interval
from rubric_engine.judgeeval.resampling import Draws
from rubric_engine.judgeeval.rows import Measured
from rubric_engine.judgeeval.slices import Slice, slice_of
from rubric_engine.judgeeval.uncertainty import estimates, labelled

TITLE = "Macro F1 by submission"
ROW, HEAD = 20.0, 30.0
LEFT, RIGHT, VALUE, WORDS = 250.0, 590.0, 640.0, 652.0
NOTES = (
    "Lines are 95% intervals for these submissions: groups of leaves drawn anew within each. "
    "Leaves without a grade count as wrong, and a hollow dot says that there are such.",
)


@dataclass(frozen=True, slots=True)
class _Spot:
    """One judge on one submission; None where it was not measured there."""

    submission: str
    judge: str
    found: Slice | None
    interval: Interval | None

    @property
    def f1(self) -> float | None:
        return self.found.headline.f1 if self.found else None

    @property
    def whole(self) -> bool:
        return self.found is not None and self.found.coverage.complete

    @property
    def words(self) -> str:
        """What a reader must know of this dot, or why there is none."""
        if self.found is None:
            return "not measured"
        cover = self.found.coverage
        if not cover.labelled:
            return "no labelled leaf"
        if not cover.graded:
            return "no leaf has a grade"
        if not cover.complete:
            return f"{cover.labelled - cover.graded:,} of {cover.labelled:,} without a grade"
        return "labels of one class only" if self.found.headline.degenerate else ""


def submissions_chart(cast: Cast) -> Chart:
    """Draw macro F1 of each judge on each submission; what was not graded is a visible hole."""
    judges = cast.judges
    names = dict.fromkeys(case for judge in judges for case in _cases(judge))
    if not names:
        return Chart("submissions", TITLE, None, "there is no leaf" if judges else NOBODY)
    draws = {
        judge.name: drawn
        for ground in cast.grounds
        for drawn in [Draws.of(labelled(ground.judges[0].pairs))]
        for judge in ground.judges
    }
    spots = [spot for judge in judges for spot in _spots(judge, names, draws[judge.name])]
    scale = Scale(*around(_ends(spots)), LEFT, RIGHT)
    marks = key(_KEY)
    top = TOP - 8
    for name in names:
        block = [spot for spot in spots if spot.submission == name]
        marks += _block(name, block, scale, top)
        top += HEAD + ROW * len(block) + 4
    marks += ticks_below(scale, tenths(scale.low, scale.high), top, top + 1, _tick)
    described = (
        f"Dots with intervals: {counted(len(judges), 'judge')} on "
        f"{counted(len(names), 'submission')}. "
        + " ".join(
            f"{short(spot.judge)} on {short(spot.submission)}: {spot.words}."
            for spot in spots
            if spot.words
        )
    )
    notes = [*NOTES, *remarks(judges)]
    figure = finished(TITLE, described, marks, bottom=top + 18, notes=notes, table=_table(spots))
    return Chart("submissions", TITLE, figure)


_KEY: Key = (
    ("dot", "here", "macro F1 with its interval"),
    ("hollow", "bad", "leaves without a grade"),
)


def _cases(judge: Measured) -> Iterable[str]:
    """Cases in order, those without a single leaf included."""
    known = (case.name for case in judge.evaluation.cases)
    return dict.fromkeys((*known, *judge.pairs.submissions))


def _spots(judge: Measured, names: Iterable[str], draws: Draws) -> Iterable[_Spot]:
    parts = judge.pairs.by(lambda row: row.submission)
    for name in names:
        part = parts.get(name)
        if part is None:
            yield _Spot(name, judge.name, None, None)
        else:
            interval = estimates(part, draws=draws, names=("f1",))["f1"].pooled.here
            yield _Spot(name, judge.name, slice_of(part), interval)


def _ends(spots: Iterable[_Spot]) -> Iterable[float]:
    for spot in spots:
        known = spot.interval and (spot.interval.low, spot.interval.high)
        yield from (value for value in (spot.f1, *(known or ())) if value is not None)


def _tick(value: float) -> str:
    return fixed(value, 1)


def _block(name: str, spots: Sequence[_Spot], scale: Scale, top: float) -> list[Mark]:
    size = max((spot.found.coverage.labelled for spot in spots if spot.found), default=0)
    first = top + HEAD
    bottom = first + ROW * len(spots)
    room = INSIDE - 160
    marks: list[Mark] = [
        Text(MARGIN, top + 22, clip(name, room, 12, bold=True), bold=True, tip=(name,)),
        Text(WIDTH - MARGIN, top + 22, counted(size, "labelled leaf"), "muted", SMALL, "end"),
    ]
    places = map(scale.at, tenths(scale.low, scale.high))
    marks += [line(x, first, x, bottom, "grid") for x in places]
    for number, spot in enumerate(spots):
        marks += _row(spot, scale, first + ROW * (number + 0.5))
    return marks


def _row(spot: _Spot, scale: Scale, y: float) -> Iterable[Mark]:
    role: Role = "here" if spot.whole else "bad"
    interval = spot.interval
    said = between(interval.low, interval.high) if interval else "no interval"
    why = f" ({interval.why})" if interval and interval.why else ""
    tip = (spot.judge, spot.submission, f"macro F1 {fixed(spot.f1)}", f"{said}{why}")
    yield Text(MARGIN + 10, y + 4, clip(spot.judge, LEFT - MARGIN - 26, SMALL), size=SMALL, tip=tip)
    if interval is not None:
        yield from spanned(scale, interval.low, interval.high, y, role, tip)
    if spot.f1 is not None:
        yield Circle(scale.at(spot.f1), y, 4.5, role, not spot.whole, tip)
    yield Text(VALUE, y + 4, fixed(spot.f1), size=SMALL, anchor="end")
    if spot.words:
        yield Text(WORDS, y + 4, clip(spot.words, WIDTH - MARGIN - WORDS, SMALL), "muted", SMALL)


def _table(spots: Iterable[_Spot]) -> Table:
    headers = (
        "submission", "judge", "labelled leaves", "graded", "coverage by worth",
        "macro F1", "95% low", "95% high", "remark",
    )  # fmt: skip

    def cells(spot: _Spot) -> tuple[Cell, ...]:
        cover = spot.found.coverage if spot.found else None
        interval = spot.interval
        return (
            spot.submission,
            spot.judge,
            cover.labelled if cover else None,
            cover.graded if cover else None,
            cover.worth if cover and cover.labelled else None,
            spot.f1,
            interval.low if interval else None,
            interval.high if interval else None,
            spot.words,
        )

    return Table(headers, tuple(map(cells, spots)))
