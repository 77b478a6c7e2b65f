"""Chart 1: all judges, how good they are, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubric_engine.figures import percent
from rubric_engine.judgeeval.charts.layout import (
    MARGIN,
    SMALL,
    TOP,
    WIDTH,
    diamond,
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
from rubric_engine.judgeeval.charts.standings import Standing, standings
from rubric_engine.judgeeval.charts.subjects import (
    NOBODY,
    Cast,
    remarks,
    size,
)
from rubric_engine.judgeeval.charts.words import between, clip, counted, fixed, short
from rubric_engine.judgeeval.intervals import Interval

TITLE = "Judges: macro F1 against human labels"
ROW, HEAD = 34.0, 26.0
COVERAGE, LEFT, RIGHT = 290.0, 312.0, 592.0
F1, KAPPA, ERROR, DOLLARS = 646.0, 704.0, 772.0, WIDTH - MARGIN
COLUMNS = (
    (COVERAGE, "coverage"),
    (F1, "F1"),
    (KAPPA, "kappa"),
    (ERROR, "score err."),
    (DOLLARS, "$ / subm."),
)
NOTES = (
    "Filled dot: F1 over all leaves, with the 95% interval for these submissions (groups of "
    "leaves drawn anew). Diamond: mean of the submissions' F1, with the 95% interval for new "
    "submissions (t). Leaves without a grade count as wrong.",
    "Score err.: mean absolute error of root scores, in points of 100. A dash: not known.",
)


def judges_chart(cast: Cast) -> Chart:
    """Draw every judge with coverage, macro F1 and both its intervals, kappa, error and cost.

    Judges on the same labelled leaves stand together, best first, above the rows that any judge
    must beat; judges on other leaves stand apart and are not ranked against them.
    """
    if not cast.judges:
        return Chart("judges", TITLE, None, NOBODY)
    blocks = [(size(ground.judges[0]), standings(ground)) for ground in cast.grounds]
    rows = [row for _, block in blocks for row in block]
    scale = Scale(*around(_ends(rows)), LEFT, RIGHT)
    marks = key(_KEY)
    bottom = TOP
    for heading, block in blocks:
        marks += _block(heading, block, scale, bottom)
        bottom += HEAD + 18 + ROW * len(block) + 28
    described = (
        "A forest chart. "
        + " ".join(f"{short(row.name)}: macro F1 {fixed(row.pooled)}." for row in rows if row.judge)
        + " Baselines stand below."
    )
    apart = ["Judges in separate blocks were measured on other leaves: do not rank them together."]
    notes = [*NOTES, *_out_of_reach(cast), *(apart if len(blocks) > 1 else []), *_missing(rows)]
    notes += remarks(cast.judges)
    table = _table(blocks)
    figure = finished(TITLE, described, marks, bottom=bottom - 8, notes=notes, table=table)
    return Chart("judges", TITLE, figure)


_KEY: Key = (
    ("dot", "here", "all leaves; these submissions"),
    ("diamond", "anew", "mean over submissions; new submissions"),
    ("dot", "baseline", "needs no model"),
    ("hollow", "here", "leaves without a grade"),
)


def _ends(rows: Iterable[Standing]) -> Iterable[float]:
    for row in rows:
        for one in (row.here, row.anew):
            if one is not None and one.low is not None and one.high is not None:
                yield from (one.low, one.high)
        yield from (value for value in (row.pooled, row.mean) if value is not None)


def _block(heading: str, rows: Sequence[Standing], scale: Scale, top: float) -> list[Mark]:
    first = top + HEAD + 18
    bottom = first + ROW * len(rows)
    marks: list[Mark] = [Text(MARGIN, top + 16, heading, "muted", SMALL, bold=True)]
    marks += [Text(x, top + HEAD + 8, text, "muted", SMALL, "end") for x, text in COLUMNS]
    marks += ticks_below(scale, tenths(scale.low, scale.high), first, bottom, _tick)
    for number, row in enumerate(rows):
        y = first + ROW * number
        if number and row.judge is not rows[number - 1].judge:
            marks.append(line(MARGIN, y, WIDTH - MARGIN, y, "muted"))
        marks += _row(row, scale, y)
    return marks


def _tick(value: float) -> str:
    return fixed(value, 1)


def _row(row: Standing, scale: Scale, y: float) -> list[Mark]:
    role: Role = "ink" if row.judge else "muted"
    dot: Role = "here" if row.judge else "baseline"
    mean: Role = "anew" if row.judge else "baseline"
    cells = (
        (COVERAGE, percent(row.coverage)),
        (KAPPA, fixed(row.kappa, 2)),
        (ERROR, fixed(row.error, 1)),
        (DOLLARS, row.price),
    )
    here = _tip(row.name, "over all leaves", row.pooled, row.here)
    anew = _tip(row.name, "mean over submissions", row.mean, row.anew)
    marks: list[Mark] = [
        Text(MARGIN, y + 21, clip(row.name, 214, 12), role, tip=(row.name,)),
        *(Text(x, y + 21, text, role, anchor="end") for x, text in cells),
        Text(F1, y + 15, fixed(row.pooled), role, anchor="end", bold=True),
        Text(F1, y + 29, fixed(row.mean), "muted", SMALL, "end"),
    ]
    if row.here is not None:
        marks += spanned(scale, row.here.low, row.here.high, y + 11, dot, here)
    if row.anew is not None:
        marks += spanned(scale, row.anew.low, row.anew.high, y + 24, mean, anew)
    if row.pooled is not None:
        hollow = row.coverage is not None and row.coverage < 1
        marks.append(Circle(scale.at(row.pooled), y + 11, 5, dot, hollow, here))
    if row.mean is not None:
        marks.append(diamond(scale.at(row.mean), y + 24, mean, anew))
    return marks


def _tip(name: str, how: str, value: float | None, interval: Interval | None) -> tuple[str, ...]:
    about = () if interval is None else (_said(interval),)
    return (name, f"macro F1 {fixed(value)}, {how}", *about)


def _said(interval: Interval) -> str:
    words = between(interval.low, interval.high)
    return f"{words}, {interval.about} ({interval.why or interval.method})"


def _out_of_reach(cast: Cast) -> Iterable[str]:
    """What no judge's mean can reach, however good it is."""
    for leaves in (ground.leaves for ground in cast.grounds):
        if leaves.one_class and leaves.highest_mean is not None:
            many = len(leaves.baselines[0].agreement.submissions)
            yield (
                f"Labels of one class only on {len(leaves.one_class):,} of"
                f" {counted(many, 'submission')}: no judge's mean can pass"
                f" {leaves.highest_mean:.2f}."
            )


def _missing(rows: Iterable[Standing]) -> Iterable[str]:
    """Why judges have no interval, each reason once."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for one in (row.here, row.anew) if row.judge else ():
            if one is not None and one.why is not None:
                reasons.setdefault(f"{one.about}: {one.why}", []).append(row.name)
    for reason, names in reasons.items():
        yield f"No interval for {reason} ({len(names)} of the judges)."


def _table(blocks: Sequence[tuple[str, Sequence[Standing]]]) -> Table:
    rows = [(heading, row) for heading, block in blocks for row in block]
    categories = tuple(dict.fromkeys(name for _, row in rows for name in row.categories))
    headers = (
        "judge",
        "measured on",
        "coverage",
        "macro F1",
        "these submissions, low",
        "these submissions, high",
        "mean F1 of submissions",
        "new submissions, low",
        "new submissions, high",
        "kappa",
        "score error, points",
        "$ per submission",
        *(f"F1, {name}" for name in categories),
    )
    return Table(headers, tuple(_cells(heading, row, categories) for heading, row in rows))


def _cells(heading: str, row: Standing, categories: Sequence[str]) -> tuple[Cell, ...]:
    here, anew = row.here, row.anew
    return (
        row.name,
        heading,
        row.coverage,
        row.pooled,
        here.low if here else None,
        here.high if here else None,
        row.mean,
        anew.low if anew else None,
        anew.high if anew else None,
        row.kappa,
        row.error,
        row.usd,
        *(row.categories.get(name) for name in categories),
    )
