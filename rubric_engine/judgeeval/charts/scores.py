"""Chart 5: what a leaderboard would see, the judge's score of submissions against the human's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.figures import percent
from rubric_engine.judgeeval.charts.layout import (
    INSIDE,
    MARGIN,
    SMALL,
    TOP,
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
from rubric_engine.judgeeval.charts.scales import Scale
from rubric_engine.judgeeval.charts.subjects import NOBODY, Cast, remarks
from rubric_engine.judgeeval.charts.words import clip, fixed, plain, short, whole_percent
from rubric_engine.judgeeval.root import Root, root_errors
from rubric_engine.judgeeval.roots_known import KnownRoots

TITLE = "Scores of submissions: judge against human"
ACROSS = 3
NO_CASE = "no case has a label"
PANEL = INSIDE / ACROSS
SIDE, HIGH = 40.0, 210.0
TALL = 316.0
NOTES = (
    "Above the diagonal the judge gives more than the human. A bar runs from the score if every "
    "leaf without a grade were 0 (the dot) to the score if every one were 1.",
)


@dataclass(frozen=True, slots=True)
class _Panel:
    name: str
    roots: tuple[Root, ...]


def scores_chart(cast: Cast) -> Chart:
    """Draw root scores by the judge against those by the human, one dot a submission."""
    judges = cast.judges
    found = {judge.name: judge.known for judge in judges}
    panels = [_Panel(name, known.roots) for name, known in found.items() if known.roots]
    if not panels:
        whys = dict.fromkeys(known.why or NO_CASE for known in found.values())
        why = f"no root score is known: {'; '.join(whys)}"
        return Chart("scores", TITLE, None, why if judges else NOBODY)
    numbers: dict[str, int] = {}
    for panel in panels:
        for root in panel.roots:
            numbers.setdefault(root.submission, len(numbers) + 1)
    marks = key(_KEY)
    for place, panel in enumerate(panels):
        left, top = MARGIN + PANEL * (place % ACROSS), TOP + TALL * (place // ACROSS)
        marks += _panel(panel, numbers, left, top)
    bottom = TOP + TALL * -(-len(panels) // ACROSS)
    marks += _legend(numbers, bottom)
    figure = finished(
        TITLE,
        _described(panels),
        marks,
        bottom=bottom + 16 * -(-len(numbers) // 2),
        notes=[*NOTES, *_left_out(found), *remarks(judges)],
        table=_table(panels),
    )
    return Chart("scores", TITLE, figure)


_KEY: Key = (
    ("dot", "here", "a submission, by its number below"),
    ("hollow", "here", "some leaves have no grade"),
    ("dashed", "muted", "judge and human agree"),
)


def _described(panels: Iterable[_Panel]) -> str:
    errors = ((panel.name, root_errors(panel.roots).mae) for panel in panels)
    said = " ".join(f"{short(name)}: {fixed(_points(mae), 1)} points." for name, mae in errors)
    return f"Scatter charts of root scores, human across, judge up. Mean absolute error: {said}"


def _points(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _panel(panel: _Panel, numbers: dict[str, int], left: float, top: float) -> list[Mark]:
    start, end, upper, lower = left + SIDE, left + PANEL - 18, top + 50, top + 50 + HIGH
    x, y = Scale(0, 1, start, end), Scale(0, 1, lower, upper)
    ticks = (0.0, 0.5, 1.0)
    mae = _points(root_errors(panel.roots).mae)
    lines = [
        line(start, lower, end, upper, "muted", dashed=True),
        *(piece for root in panel.roots for piece in _bar(panel.name, root, x, y)),
    ]
    wanted = [
        Wanted(x.at(root.human), y.at(root.low), str(numbers[root.submission]))
        for root in panel.roots
    ]
    return [
        Text(left, top + 10, clip(panel.name, PANEL - 18, 12, bold=True), bold=True,
             tip=(panel.name,)),
        Text(left, top + 25, f"mean absolute error {fixed(mae, 1)} points", "muted", SMALL),
        *ticks_left(y, ticks, start, end, whole_percent),
        *ticks_below(x, ticks, upper, lower, whole_percent),
        *lines,
        *(_dot(panel.name, root, x, y) for root in panel.roots),
        *placed(wanted, avoid=covered(lines), inside=Box(start, upper - 6, end + 16, lower + 4)),
        Text((start + end) / 2, lower + 28, "human's score", "muted", 10, "middle"),
        Text(left, upper - 9, "judge's score", "muted", 10),
    ]  # fmt: skip


def _bar(name: str, root: Root, x: Scale, y: Scale) -> Iterable[Polyline]:
    """What leaves without a grade leave open."""
    if root.low < root.high:
        at, low, high = x.at(root.human), y.at(root.low), y.at(root.high)
        yield line(at, low, at, high, "here", width=1.5, tip=_tip(name, root))
        yield line(at - 4, high, at + 4, high, "here", width=1.5)


def _dot(name: str, root: Root, x: Scale, y: Scale) -> Circle:
    hollow = root.low < root.high
    return Circle(x.at(root.human), y.at(root.low), 4.5, "here", hollow, _tip(name, root))


def _tip(name: str, root: Root) -> tuple[str, ...]:
    low, high = percent(root.low), percent(root.high)
    judged = low if root.low == root.high else f"{low} to {high}"
    return (name, root.submission, f"judge {judged}, human {percent(root.human)}")


def _legend(numbers: dict[str, int], top: float) -> list[Mark]:
    half = -(-len(numbers) // 2)
    return [
        Text(
            MARGIN + INSIDE / 2 * ((number - 1) // half),
            top + 16 * ((number - 1) % half),
            clip(f"{number}  {plain(name)}", INSIDE / 2 - 12, SMALL),
            size=SMALL,
            tip=(name,),
        )
        for name, number in numbers.items()
    ]


def _left_out(found: Mapping[str, KnownRoots]) -> Iterable[str]:
    """Judges without root scores, and cases without them, each with its reason."""
    judges: dict[str, list[str]] = {}
    cases: dict[str, dict[str, None]] = {}
    for name, known in found.items():
        if not known.roots:
            judges.setdefault(known.why or NO_CASE, []).append(name)
            continue
        for case, why in known.unknown.items():
            cases.setdefault(why, {})[case] = None
    for why, names in judges.items():
        yield f"No root scores, as {why}: {_listed(names)}."
    for why, dropped in cases.items():
        yield f"No root score, as {why}: {_listed(dropped)}."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(clip(name, 160, SMALL) for name in names)


def _table(panels: Iterable[_Panel]) -> Table:
    headers = ("judge", "submission", "human", "judge, low", "judge, high", "error", "leaf error")

    def cells(name: str, root: Root) -> tuple[Cell, ...]:
        scores = (root.human, root.low, root.high, root.error, root.leaf_error)
        return (name, root.submission, *scores)

    return Table(
        headers, tuple(cells(panel.name, root) for panel in panels for root in panel.roots)
    )
