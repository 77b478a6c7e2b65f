"""Chart 4: whether judges' probabilities mean what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubric_engine.figures import percent
from rubric_engine.judgeeval.charts.layout import (
    INSIDE,
    MARGIN,
    SMALL,
    TOP,
    finished,
    ticks_below,
    ticks_left,
)
from rubric_engine.judgeeval.charts.marks import Cell, Chart, Circle, Mark, Rect, Table, Text, line
from rubric_engine.judgeeval.charts.scales import Scale
from rubric_engine.judgeeval.charts.subjects import NOBODY, Cast, remarks
from rubric_engine.judgeeval.charts.words import between, clip, counted, fixed, short, whole_percent
from rubric_engine.judgeeval.intervals import binomial_interval
from rubric_engine.judgeeval.probabilities import Bin, Calibration, calibration

TITLE = "Do probabilities come true?"
ACROSS = 3
PANEL = INSIDE / ACROSS
SIDE, HIGH, BARS = 36.0, 200.0, 46.0
TALL = 350.0
NOTES = (
    "The probabilities are those that the judge named above each panel gave with its grades. On "
    "the diagonal they come true as often as they say; below it the judge is too sure that "
    "leaves are met.",
    "Dots are the leaves of ten bins of equal width, with 95% Wilson intervals (leaves taken as "
    "independent); bars below show how many leaves each bin has.",
)


@dataclass(frozen=True, slots=True)
class _Panel:
    name: str
    found: Calibration


def reliability_chart(cast: Cast) -> Chart:
    """Draw how often leaves are met against the probability given, and how many leaves there are.

    Only judges that give probabilities have a panel.
    """
    judges = cast.judges
    found = [_Panel(judge.name, calibration(judge.pairs)) for judge in judges]
    panels = [one for one in found if one.found.n]
    if not panels:
        why = "no judge gave a probability with its grades" if judges else NOBODY
        return Chart("reliability", TITLE, None, why)
    marks = [
        mark
        for number, panel in enumerate(panels)
        for mark in _panel(
            panel, MARGIN + PANEL * (number % ACROSS), TOP - 18 + TALL * (number // ACROSS)
        )
    ]
    described = "Reliability diagrams. " + " ".join(
        f"{short(one.name)}: ECE {fixed(one.found.ece, 3)}, Brier {fixed(one.found.brier, 3)}."
        for one in panels
    )
    silent = len(found) - len(panels)
    notes = [*NOTES, *([f"No probabilities: {counted(silent, 'judge')}."] if silent else [])]
    figure = finished(
        TITLE,
        described,
        marks,
        bottom=TOP - 18 + TALL * -(-len(panels) // ACROSS),
        notes=[*notes, *remarks(judges)],
        table=_table(panels),
    )
    return Chart("reliability", TITLE, figure)


def _panel(panel: _Panel, left: float, top: float) -> list[Mark]:
    found = panel.found
    said = f"ECE {fixed(found.ece, 3)}, Brier {fixed(found.brier, 3)}"
    rest = f", {found.without:,} without" if found.without else ""
    start, end = left + SIDE, left + PANEL - 18
    x = Scale(0, 1, start, end)
    y = Scale(0, 1, top + 50 + HIGH, top + 50)
    ticks = (0.0, 0.5, 1.0)
    return [
        Text(left, top + 12, clip(panel.name, PANEL - 18, 12, bold=True), bold=True,
             tip=(panel.name,)),
        Text(left, top + 28, said, "ink", SMALL),
        Text(left, top + 42, f"{counted(found.n, 'leaf')}{rest}", "muted", 10),
        *ticks_left(y, ticks, start, end, whole_percent),
        *ticks_below(x, ticks, top + 50, top + 50 + HIGH, whole_percent),
        line(start, y.at(0), end, y.at(1), "muted", dashed=True),
        *(mark for one in found.bins for mark in _dot(panel.name, one, x, y)),
        Text((start + end) / 2, top + 50 + HIGH + 28, "probability given, against share met",
             "muted", 10, "middle"),
        *_histogram(found.bins, x, top + 50 + HIGH + 36),
    ]  # fmt: skip


def _dot(name: str, one: Bin, x: Scale, y: Scale) -> Iterable[Mark]:
    if one.said is None or one.was is None:
        return
    low, high = _wilson(one)
    tip = (
        name,
        f"said {percent(one.said)}, met {percent(one.was)} of {counted(one.n, 'leaf')}",
        f"95%: {between(low, high)}",
    )
    at = x.at(one.said)
    if low is not None and high is not None:
        yield line(at, y.at(low), at, y.at(high), "here", width=1.5, tip=tip)
    yield Circle(at, y.at(one.was), 4, "here", tip=tip)


def _wilson(one: Bin) -> tuple[float | None, float | None]:
    if one.was is None:
        return None, None
    interval = binomial_interval(min(round(one.was * one.n), one.n), one.n)
    return interval.low, interval.high


def _histogram(bins: Sequence[Bin], x: Scale, top: float) -> Iterable[Mark]:
    most = max(one.n for one in bins)
    bottom = top + BARS
    for one in bins:
        high = BARS * one.n / most
        left, right = x.at(one.low), x.at(one.high)
        tip = (f"{whole_percent(one.low)} to {whole_percent(one.high)}: {counted(one.n, 'leaf')}",)
        if one.n:
            yield Rect(left + 1, bottom - high, right - left - 2, high, "muted", 0.7, tip=tip)
    yield line(x.start, bottom, x.end, bottom, "muted")


def _table(panels: Iterable[_Panel]) -> Table:
    headers = (
        "judge", "ECE", "Brier", "probability from", "to", "leaves",
        "mean probability", "share met", "95% low", "95% high",
    )  # fmt: skip

    def cells(panel: _Panel, one: Bin) -> tuple[Cell, ...]:
        found = panel.found
        head = (panel.name, found.ece, found.brier)
        return (*head, one.low, one.high, one.n, one.said, one.was, *_wilson(one))

    rows = (cells(panel, one) for panel in panels for one in panel.found.bins)
    return Table(headers, tuple(rows))
