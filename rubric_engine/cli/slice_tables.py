"""Tables of judges by submission, or by category."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import NO_CATEGORY, NO_GRADE
from rubric_engine.cli.output import fill, percent, table
from rubric_engine.cli.output import leaves as leaves_in_words
from rubric_engine.cli.short_names import in_full, short_names
from rubric_engine.judgeeval.naming import told_apart

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import CaseResult, LabelCover, LeafSet, Root, Row, Slice

NAME = 40
"""Columns that the name of a submission or a category may take."""


def submission_tables(
    leaves: LeafSet, names: Mapping[str, str], notes: Footnotes
) -> Iterator[str | Table]:
    """A table for each submission: every judge's figures, and its score beside the human's."""
    heads = ("cover", "F1", "bal", "kappa", "met", "score", "error", "$")
    parts = leaves.baselines[0].agreement.submissions
    shown = short_names(parts, NAME)
    for name, part in parts.items():
        roots = (_root(row, name) for row in leaves.rows)
        human = next((root.human for root in roots if root is not None), None)
        known = "" if human is None else f", human score {100 * human:.1f}"
        yield f"{shown[name]}: {_labelled(part, leaves.labels.get(name))}{known}"
        rows = [
            _by_submission(row, name, shown[name], who, notes) for row, who in _named(leaves, names)
        ]
        yield fill(table("<judge", *heads), rows)
        yield ""
    yield from in_full(shown)


def _by_submission(row: Row, name: str, where: str, who: str, notes: Footnotes) -> list[str]:
    root = _root(row, name)
    score, error = ("-", "-")
    if root is None:
        errors = row.agreement.root
        notes.dash("root score by submission", errors.unknown.get(name, errors.why), who)
    else:
        low, high = 100 * root.low, 100 * root.high
        score = f"{low:.1f}" if low == high else f"{low:.1f}-{high:.1f}"
        error = f"{100 * root.error:+.1f}"
    figures = _figures(row.agreement.submissions.get(name), where, who, notes)
    return [who, *figures, score, error, _cost(row, name)]


def _cost(row: Row, name: str) -> str:
    from rubric_engine.spending.dollars import UNPRICED

    if row.kind != "judge" or row.evaluation is None:
        return "0.00" if row.kind == "baseline" else ""
    case = _case(row, name)
    usd = None if case is None else row.evaluation.cost_of(case.name)
    return UNPRICED if usd is None else f"{usd:,.2f}"


def _case(row: Row, name: str) -> CaseResult | None:
    cases = row.evaluation.cases if row.evaluation else ()
    return next((case for case in cases if case.name == name), None)


def category_tables(
    leaves: LeafSet, names: Mapping[str, str], notes: Footnotes
) -> Iterator[str | Table]:
    """A table for each category: every judge's figures."""
    heads = ("cover", "F1", "bal", "kappa", "met")
    parts = leaves.baselines[0].agreement.categories
    texts = dict(zip(parts, told_apart([name or NO_CATEGORY for name in parts]), strict=True))
    shown = short_names(texts.values(), NAME)
    for name, part in parts.items():
        where = shown[texts[name]]
        yield f"{where}: {_labelled(part)}"
        rows = [
            [who, *_figures(row.agreement.categories.get(name), where, who, notes)]
            for row, who in _named(leaves, names)
        ]
        yield fill(table("<judge", *heads), rows)
        yield ""
    yield from in_full(shown)


def _figures(part: Slice | None, where: str, who: str, notes: Footnotes) -> list[str]:
    if part is None:
        return [notes.dash(f"figures on {where}", "no leaf with both verdicts", who)] * 5
    found, said = part.headline, part.graded
    hole = "" if part.coverage.complete else "!"
    return [
        percent(part.coverage.leaves) + hole,
        notes.figure(found.f1, f"F1 on {where}", found.why.get("f1"), who) + hole,
        notes.figure(
            found.balanced_accuracy,
            f"balanced accuracy or kappa on {where}",
            found.why.get("balanced_accuracy"),
            who,
        ),
        notes.figure(
            found.kappa,
            f"balanced accuracy or kappa on {where}",
            found.why.get("kappa"),
            who,
        ),
        notes.figure(said.judge_rate, f"rate of met on {where}", NO_GRADE, who, ".1%"),
    ]


def _root(row: Row, name: str) -> Root | None:
    return next((root for root in row.agreement.root.roots if root.submission == name), None)


def _named(leaves: LeafSet, names: Mapping[str, str]) -> Iterator[tuple[Row, str]]:
    return ((row, names[row.name]) for row in leaves.rows)


def _labelled(part: Slice, cover: LabelCover | None = None) -> str:
    rate, labelled = part.headline.human_rate, part.coverage.labelled
    met = "" if rate is None else f", {percent(rate)} of them met"
    met += " (F1 at most 0.50)" if part.headline.degenerate else ""
    # Of a sample, what labels cover is no part of what is counted here.
    if cover is None or cover.complete or cover.labelled != labelled:
        return f"{leaves_in_words(labelled)} with a label{met}"
    return f"{labelled:,} of {leaves_in_words(cover.leaves)} with a label{met}"
