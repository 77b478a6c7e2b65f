"""The tables of judges for a person, 80 columns wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.output import counted, fill, percent, table
from rubric_engine.cli.short_names import in_full, listed, short_names
from rubric_engine.judgeeval.holes import NO_CHECK, NOT_RUN
from rubric_engine.judgeeval.naming import told_apart

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import Interval, LeafSet, Row, Slice

MOST_CATEGORIES = 3
"""Categories whose F1 has room beside the other figures."""

NO_GRADE = "no labelled leaf has a grade"

NO_CATEGORY = "(no category)"

SHORT = {"Code Development": "code", "Code Execution": "exec", "Result Analysis": "result"}


def headline_table(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Table:
    """Macro F1 with both intervals, coverage, error of the root score, cost."""
    heads = ("cover", "F1", "these", "mean", "new", "err", "$/sub")
    return judges_table(leaves, names, heads, lambda row, who: _headline(row, who, notes))


def _headline(row: Row, who: str, notes: Footnotes) -> list[str]:
    found, mean = row.agreement.pooled, row.agreement.means["f1"]
    near = row.intervals["f1"].pooled.here if row.intervals else None
    new = row.intervals["f1"].mean.anew if row.intervals else None
    return [
        _cover(found, who, notes) + _open_mark(row, who, notes) + _rank_mark(row, who, notes),
        notes.figure(found.headline.f1, "macro F1", found.headline.why.get("f1"), who),
        interval_cell(near, "interval for these submissions", who, notes),
        notes.figure(mean.value, "mean over submissions", mean.why, who),
        interval_cell(new, "interval for new submissions", who, notes),
        _points(row, "mae", who, notes) + _fewer_mark(row, notes),
        _dollars(row, who, notes),
    ]


def _cover(found: Slice, who: str, notes: Footnotes) -> str:
    share = found.coverage.leaves if found.coverage.labelled else None
    return notes.figure(share, "coverage", "no labelled leaf", who, ".1%")


def interval_cell(interval: Interval | None, what: str, who: str, notes: Footnotes) -> str:
    """An interval's two ends; nothing where none is due, and a dash where there is a reason."""
    if interval is None:
        return ""
    if interval.low is None or interval.high is None:
        return notes.dash(what, interval.why, who)
    return f"{interval.low:.2f}-{interval.high:.2f}"


def _open_mark(row: Row, who: str, notes: Footnotes) -> str:
    found = row.agreement.pooled
    open_ = found.coverage.labelled - found.coverage.graded
    if not open_:
        return ""
    without = "no figure" if found.graded.f1 is None else f"F1 {found.graded.f1:.2f}"
    text = (
        f"{who} gave no grade to {open_:,} of {found.coverage.labelled:,} leaves,"
        f" {percent(1 - found.coverage.worth)} of the worth ({_why_open(row)});"
        f" they count as wrong ({without} without them)"
    )
    return notes.mark("!", text)


_OPEN = {
    NOT_RUN: "for want of a run of reproduce.sh",
    NO_CHECK: "without a check, no failure of a judge that asks no model",
}

_OF_MODEL = {NO_CHECK: "on a scale that its model does not take"}


def _why_open(row: Row) -> str:
    models = row.evaluation.judge.models if row.evaluation is not None else ()
    words = _OPEN | (_OF_MODEL if models else {})
    parts = [f"{hole.leaves:,} {words.get(reason, reason)}" for reason, hole in row.holes.items()]
    return "; ".join(parts)


def _rank_mark(row: Row, who: str, notes: Footnotes) -> str:
    if row.unranked is None:
        return ""
    word = "is not ranked: " if row.kind == "judge" else "stands on fewer leaves: "
    return notes.mark("*", f"{who} {word}{row.unranked}")


def _fewer_mark(row: Row, notes: Footnotes) -> str:
    root = row.agreement.root
    if not root.unknown or root.mae is None:
        return ""
    of = counted(root.n + len(root.unknown), "submission")
    whys = ", ".join(dict.fromkeys(root.unknown.values()))
    return notes.mark("~", f"errors of root scores are over {root.n} of {of} (others: {whys})")


def figures_table(
    leaves: LeafSet,
    names: Mapping[str, str],
    notes: Footnotes,
    categories: Mapping[str, str] | None = None,
) -> Table:
    """F1 by category, and the other figures of agreement over all leaves.

    Args:
        leaves: The leaf set.
        names: What it shows for each row.
        notes: Takes the reasons of dashes.
        categories: What it shows for each category; those that have room by default.
    """
    categories = narrow_categories(leaves) if categories is None else categories
    heads = (*categories.values(), "worth", "bal", "MCC", "kappa", "met")
    return judges_table(
        leaves, names, heads, lambda row, who: _figures(row, who, notes, categories)
    )


def narrow_categories(leaves: LeafSet) -> dict[str, str]:
    """Short names of the categories; none where there are too many for a column each."""
    texts = category_names(leaves)
    if len(texts) > MOST_CATEGORIES:
        return {}
    short = short_names(texts.values(), 6)
    return {name: short[text] for name, text in texts.items()}


def category_names(leaves: LeafSet) -> dict[str, str]:
    """What categories are called where there is room; PaperBench's by one word each."""
    names = leaves.baselines[0].agreement.categories
    texts = told_apart([SHORT.get(name, name) or "(none)" for name in names])
    return dict(zip(names, texts, strict=True))


def categories_in_full(leaves: LeafSet, short: Mapping[str, str]) -> Iterator[str]:
    """Which column is which category; those of PaperBench's on one line.

    Args:
        leaves: The leaf set.
        short: What the table shows for each category.
    """
    if not short:
        count = len(leaves.baselines[0].agreement.categories)
        yield f"F1 of the {count} categories: --by category."
    known = [f"{short[name]}: {name}" for name in short if name in SHORT]
    if known:
        yield f"F1 on {', '.join(known)}."
    yield from _one_class(leaves, short)
    others = {name or NO_CATEGORY: text for name, text in short.items() if name not in SHORT}
    yield from (f"F1 on {line}" for line in in_full(others))


def _one_class(leaves: LeafSet, short: Mapping[str, str]) -> Iterator[str]:
    parts = leaves.baselines[0].agreement.categories
    alone = [short[name] for name in short if parts[name].headline.degenerate]
    if alone:
        yield f"labels of one class only on {listed(alone)}: F1 there cannot pass 0.50"


def _figures(row: Row, who: str, notes: Footnotes, categories: Mapping[str, str]) -> Iterator[str]:
    for name, short in categories.items():
        part = row.agreement.categories.get(name)
        f1, why = (part.headline.f1, part.headline.why.get("f1")) if part else (None, "no leaf")
        yield notes.figure(f1, f"F1 on {short}", why, who)
    weighted, found = row.agreement.pooled.by_worth, row.agreement.pooled.headline
    yield notes.figure(weighted.f1, "F1 by worth", weighted.why.get("f1"), who)
    for name, what in (("balanced_accuracy", "balanced accuracy"), ("mcc", "MCC")):
        yield notes.figure(getattr(found, name), what, found.why.get(name), who)
    yield notes.figure(found.kappa, "kappa", found.why.get("kappa"), who)
    said = row.agreement.pooled.graded
    yield notes.figure(said.judge_rate, "rate of met", NO_GRADE, who, ".1%")


def root_table(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Table:
    """Errors of root scores in points of 100, and what grading costs."""
    heads = ("bias", "MAE", "RMSE", "max", "leaf", "$/sub", "$/leaf")
    return judges_table(leaves, names, heads, lambda row, who: _roots(row, who, notes))


def _roots(row: Row, who: str, notes: Footnotes) -> list[str]:
    root, cost, hole = row.agreement.root, row.agreement.cost, ""
    if root.bias_range is not None and root.bias_range[0] < root.bias_range[1]:
        low, high = (100 * end for end in root.bias_range)
        text = f"{who} left scores open: its bias lies between {low:+.1f} and {high:+.1f}; the"
        hole = notes.mark("!", f"{text} errors are the worst that open leaves could bring")
    if cost.unpriced and cost.known and row.kind == "judge":
        text = f"{who} cost ${cost.known:,.2f} and {counted(cost.unpriced, 'unpriced leaf')}"
        notes.mark("$", text.replace("leafs", "leaves"))
    names = ("mae", "rmse", "largest", "leaf_error")
    return [
        _points(row, "bias", who, notes, sign="+") + hole,
        *(_points(row, name, who, notes) for name in names),
        _dollars(row, who, notes),
        _dollars(row, who, notes, by_leaf=True),
    ]


def _points(row: Row, name: str, who: str, notes: Footnotes, sign: str = "") -> str:
    root = row.agreement.root
    value = getattr(root, name)
    in_points = None if value is None else 100 * value
    return notes.figure(in_points, "error of the root score", root.why, who, f"{sign}.1f")


def _dollars(row: Row, who: str, notes: Footnotes, *, by_leaf: bool = False) -> str:
    from rubric_engine.spending.dollars import UNPRICED

    if row.kind == "human":
        return ""
    cost = row.agreement.cost
    value = cost.per_leaf if by_leaf else cost.per_submission
    if value is None:
        return UNPRICED
    if not by_leaf and row.evaluation is not None and row.evaluation.sample is not None:
        notes.mark("$", f"{who}: cost of the sample, not of whole submissions")
    return f"{value:,.4f}" if by_leaf else f"{value:,.2f}"


def judges_table(
    leaves: LeafSet,
    names: Mapping[str, str],
    heads: tuple[str, ...],
    cells: Callable[[Row, str], Iterator[str] | list[str]],
) -> Table:
    """A table with a line for each row of a leaf set.

    Args:
        leaves: The leaf set.
        names: What it shows for each row.
        heads: Headers of the figures.
        cells: The figures of a row, from the row and the name that the table shows of it.
    """
    rows = ([names[row.name], *cells(row, names[row.name])] for row in leaves.rows)
    return fill(table("<judge", *heads), rows)
