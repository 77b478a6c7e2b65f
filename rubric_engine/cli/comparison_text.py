"""A comparison of judges for a person: words first, then the figures that they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import NO_CATEGORY
from rubric_engine.cli.order_text import neighbours, order_table
from rubric_engine.cli.output import fill, room_beside, table
from rubric_engine.cli.output import leaves as leaves_in_words
from rubric_engine.cli.short_names import in_full, short_names
from rubric_engine.figures import written
from rubric_engine.judgeeval.naming import quoted, told_apart

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import Comparison, Interval

WORDS = {
    "f1": "macro F1",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced acc.",
    "mcc": "MCC",
    "kappa": "kappa",
    "rate_bias": "rate bias",
}

MANY = 4
"""Judges above which an order stands in place of the figures of each two."""

NAME = 18
"""Columns that a judge's name may take; two stand side by side."""

LEAST = 12
"""Columns that names of submissions and categories keep."""

EXPLAINED = (
    "all: over all leaves. these: its 95% interval for these submissions. mean: of",
    "the submissions' differences. new: its 95% interval for new submissions.",
)


def comparison_parts(
    compared: Sequence[Comparison], scores: Mapping[str, float | None], *, every: bool = False
) -> Iterator[str | Table]:
    """Everything that `compare` prints of the judges.

    Args:
        compared: Every judge with every other.
        scores: Macro F1 by name of the judge.
        every: Print figures of each two judges, however many there are.
    """
    from rubric_engine.judgeeval import verdict

    told = compared
    if len(scores) > MANY:
        yield from order_table(compared, scores)
        yield ""
        told = compared if every else neighbours(compared, scores)
    yield from (verdict(one) for one in told)
    if len(compared) > 1:
        yield f"(judged by p-values that Holm adjusted for {len(compared)} comparisons)"
    if len(scores) > MANY and not every:
        yield "figures of each two judges: --all, or compare two"
        return
    for number, one in enumerate(compared):
        yield ""
        yield from _one(one, family=len(compared), explained=number == 0)


def _one(one: Comparison, *, family: int, explained: bool) -> Iterator[str | Table]:
    notes = Footnotes()
    of = leaves_in_words(one.leaves)
    yield f"{quoted(one.first)} less {quoted(one.second)}, {of} with a label"
    yield _differences(one, notes)
    yield from EXPLAINED if explained else ()
    if family > 1:
        here, anew = p_value(one.adjusted_p), p_value(one.adjusted_anew_p)
        yield f"macro F1 after Holm's adjustment: p {here} these, p {anew} new"
    yield from _tests(one)
    if one.categories:
        yield ""
        yield from _submissions(one)
        yield ""
        yield from _categories(one, notes)
    yield from notes.lines()


def _differences(one: Comparison, notes: Footnotes) -> Table:
    rows = []
    for name, words in WORDS.items():
        found = one.differences[name]
        why = "labels of one class only, or none"
        rows.append(
            [
                words,
                notes.figure(found.value, "difference over all leaves", why, words, "+.3f"),
                _range(found.here, "interval for these submissions", words, notes),
                p_value(found.here_p),
                notes.figure(found.mean, "mean difference", why, words, "+.3f"),
                _range(found.anew, "interval for new submissions", words, notes),
                p_value(found.anew_p),
            ]
        )
    return fill(table("<figure", "all", "these", "p", "mean", "new", "p"), rows)


def _range(interval: Interval, what: str, who: str, notes: Footnotes) -> str:
    if interval.low is None or interval.high is None:
        return notes.dash(what, interval.why, who)
    return f"{written(interval.low, '+.2f')} to {written(interval.high, '+.2f')}"


def _tests(one: Comparison) -> Iterator[str]:
    test = one.mcnemar
    yield (
        f"right on exactly one side: {quoted(one.first)} {test.first_only:,}, "
        f"{quoted(one.second)} {test.second_only:,}"
    )
    yield (
        f"McNemar p {p_value(test.exact_p)} exact, {p_value(test.mid_p)} mid-p"
        " (takes leaves for independent)"
    )
    alone = " (all groups differ alike, so nothing shows how sure that is)"
    why = alone if one.clustered_p is None else ""
    yield f"accuracies, leaves clustered by group: p {p_value(one.clustered_p)}{why}"


def _submissions(one: Comparison) -> Iterator[str | Table]:
    heads = short_names((one.first, one.second), NAME)
    rows = [
        [
            row.submission,
            f"{row.leaves:,}",
            f"{row.first:.2f}{'!' if row.ungraded[0] else ''}",
            f"{row.second:.2f}{'!' if row.ungraded[1] else ''}",
            written(row.difference, "+.2f"),
        ]
        for row in one.submissions
    ]
    yield from _named(("<macro F1", "leaves", *heads.values(), "less"), rows, heads)


def _categories(one: Comparison, notes: Footnotes) -> Iterator[str | Table]:
    texts = told_apart([name or NO_CATEGORY for name in one.categories])
    rows = []
    for name, found in zip(texts, one.categories.values(), strict=True):
        figures = [f"{found.met:,}", f"{found.not_met:,}", written(found.accuracy, "+.3f")]
        if found.mcnemar is None:
            p_values = [notes.dash("test by category", found.why, name)] * 2
        else:
            p_values = [p_value(found.mcnemar.exact_p), p_value(found.mcnemar.mid_p)]
        rows.append([name, *figures, *p_values])
    yield from _named(("<category", "met", "not met", "accuracy", "McNemar p", "mid-p"), rows, {})


def _named(
    heads: Sequence[str], rows: Sequence[Sequence[str]], shown: Mapping[str, str]
) -> Iterator[str | Table]:
    """A table whose first column has the room that the others leave; cut names in full below."""
    blank = fill(table(*heads), (["", *cells] for _, *cells in rows))
    short = short_names((name for name, *_ in rows), max(LEAST, room_beside(blank)))
    yield fill(table(*heads), ([short[name], *cells] for name, *cells in rows))
    yield from in_full(shown)
    yield from in_full(short)


def p_value(p: float | None) -> str:
    """A p-value with three decimals; a small one is never 0, and none is a dash."""
    if p is None:
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"
