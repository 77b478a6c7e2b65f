"""One leaf set for a person: what it is, its tables, and what their words mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import (
    categories_in_full,
    figures_table,
    headline_table,
    narrow_categories,
    root_table,
)
from rubric_engine.cli.more_tables import more_tables
from rubric_engine.cli.output import counted, percent, printable, room_beside
from rubric_engine.cli.output import leaves as leaves_in_words
from rubric_engine.cli.row_names import names_in_full, row_names
from rubric_engine.cli.short_names import listed
from rubric_engine.cli.slice_tables import category_tables, submission_tables

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import LabelCover, LeafResult, LeafSet, Sample

MACRO = (
    "F1: macro F1 over all leaves, a leaf without a grade counting as wrong.",
    "these: its 95% interval for these submissions. mean: of the submissions' F1.",
    "new: the mean's 95% interval for new submissions. err: mean |judge - human|",
    "of the root scores, in points. In parentheses: what needs no model.",
)

FIGURES = (
    "worth: F1 with leaves weighted by worth. bal: balanced accuracy. met: share of",
    "the graded leaves that it calls met. Accuracy, precision, recall, counts, rates",
    "and all intervals: judgeeval report --figures all.",
)

ROOTS = (
    "Errors of root scores in points of 100; bias above 0 is lenient. leaf: error of",
    "the leaves, weighted by worth.",
)


def leaf_set_parts(
    leaves: LeafSet, by: str | None, *, explained: bool, more: bool = False
) -> Iterator[str | Table]:
    """Everything that `report` prints of a leaf set.

    Args:
        leaves: The leaf set.
        by: ``submission`` or ``category`` for more tables.
        explained: Whether to say what the columns are.
        more: Whether to show every figure that there is.
    """
    names, notes = _names(leaves, by), Footnotes()
    yield from head_lines(leaves)
    yield ""
    yield headline_table(leaves, names, notes)
    yield from MACRO if explained else ()
    yield from reach_lines(leaves)
    yield from names_in_full(leaves, names)
    yield ""
    yield figures_table(leaves, names, notes)
    yield from categories_in_full(leaves, narrow_categories(leaves))
    yield from FIGURES if explained else ()
    yield ""
    yield root_table(leaves, names, notes)
    yield from ROOTS if explained else ()
    if more:
        yield ""
        yield from more_tables(leaves, names, notes, explained=explained)
    if by is not None:
        yield ""
        yield from _SLICES[by](leaves, names, notes)
    yield from closing_lines(leaves, names, notes)


def closing_lines(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Iterator[str]:
    """What the marks in the tables stand for, and what else is known of these judges.

    Args:
        leaves: The leaf set.
        names: What tables show for each row.
        notes: What was marked while they were made.
    """
    yield from notes.lines()
    yield from _repeats(leaves)
    yield from _asked_again(leaves, names)
    yield from _front(leaves, names)


_SLICES = {"submission": submission_tables, "category": category_tables}


def _names(leaves: LeafSet, by: str | None) -> Mapping[str, str]:
    """Names of rows that leave every table its room."""
    blank, aside = {row.name: "" for row in leaves.rows}, Footnotes()
    grids: list[str | Table] = [
        make(leaves, blank, aside) for make in (headline_table, figures_table, root_table)
    ]
    grids += _SLICES[by](leaves, blank, aside) if by is not None else ()
    return row_names(leaves, min(room_beside(one) for one in grids if not isinstance(one, str)))


def reach_lines(leaves: LeafSet) -> Iterator[str]:
    """What no judge can reach, however good it is."""
    highest, of = leaves.highest_mean, leaves.baselines[0].agreement.submissions
    if leaves.one_class and highest is not None:
        yield (
            f"labels of one class only on {len(leaves.one_class)} of"
            f" {counted(len(of), 'submission')}: no judge's mean can pass {highest:.2f}"
        )


def head_lines(leaves: LeafSet) -> Iterator[str]:
    """What a leaf set is: submissions, labels, and whether they are all of them."""
    from rubric_engine.grading import MET_FROM
    from rubric_engine.judgeeval.covering import all_cover

    any_row = leaves.baselines[0].agreement
    found = any_row.pooled
    rate = found.headline.human_rate
    met = "" if rate is None else f", {percent(rate)} of them met"
    cover, samples = all_cover(leaves.labels), _samples(leaves)
    of = "" if cover.complete or samples else f" of {cover.leaves:,}"
    yield (
        f"{counted(len(any_row.submissions), 'submission')}, "
        f"{_leaves_of(found.coverage.labelled, of)} with a label"
        f" in {counted(leaves.groups, 'group')}{met}"
    )
    threshold = next(row.evaluation.threshold for row in leaves.judges if row.evaluation)
    if threshold != MET_FROM:
        yield f"a score of at least {threshold:g} counts as met"
    if not cover.complete:
        yield from _covered(cover, counted=not samples)
    for drawn in samples:
        yield f"a sample: {drawn.size:,} of {drawn.of:,} labelled leaves (seed {drawn.seed})"
    if leaves.made_gold:
        yield f"gold is made of labels of {listed(leaves.made_gold)}: no row holds them against it"
    if leaves.unlike:
        yield "other labelled leaves than above, so not ranked against it:"
        yield from (f"  {printable(line)}" for line in leaves.unlike)


def _covered(cover: LabelCover, *, counted: bool) -> Iterator[str]:
    parts = [] if counted else [f"{cover.labelled:,} of {cover.leaves:,} leaves"]
    parts += [] if cover.worth is None else [f"{percent(cover.worth)} of the worth"]
    if parts:
        yield f"labels cover {', '.join(parts)}"


def _leaves_of(labelled: int, of: str) -> str:
    return f"{labelled:,}{of} leaves" if of else leaves_in_words(labelled)


def _samples(leaves: LeafSet) -> list[Sample]:
    drawn = dict.fromkeys(row.evaluation.sample for row in leaves.judges if row.evaluation)
    return [sample for sample in drawn if sample is not None]


def _repeats(leaves: LeafSet) -> Iterator[str]:
    asked = {row.name: row.evaluation.leaves for row in leaves.judges if row.evaluation}
    for judges, found in leaves.repeats.items():
        who, of = listed(judges), leaves_in_words(found.leaves)
        if found.agreement is None:
            yield f"{who}: one judge, asked again; {found.why['agreement']}"
        elif all(_alike(asked[judges[0]], asked[name]) for name in judges[1:]):
            yield f"{who}: the same grades throughout, as copies of a result have"
        else:
            share = percent(found.agreement)
            yield f"{who}: one judge, asked again; verdicts agree on {share} of {of}"


def _alike(one: Sequence[LeafResult], other: Sequence[LeafResult]) -> bool:
    """Whether two results hold the same grades."""
    kept = [{(leaf.case, leaf.key): leaf.score for leaf in leaves} for leaves in (one, other)]
    return kept[0] == kept[1]


def _asked_again(leaves: LeafSet, names: Mapping[str, str]) -> Iterator[str]:
    """Test-retest agreement and Fleiss' kappa of judges that ask about a leaf more than once."""
    for name, found in leaves.samples.items():
        of = "the first two samples" if found.first_two else "its samples"
        yield f"{names[name]}: {found.mean:.2f} samples a leaf; verdicts of {of} agree on"
        one = found.consistency
        kappa = one.fleiss_kappa
        figure = one.why["fleiss_kappa"] if kappa is None else f"{kappa:.2f}"
        yield (
            f"  {percent(one.agreement or 0.0)} of {leaves_in_words(one.leaves)}"
            f" (test-retest); Fleiss' kappa: {figure}"
        )


def _front(leaves: LeafSet, names: Mapping[str, str]) -> Iterator[str]:
    """Which judges are worth their price; where all cost the same, the table says it already."""
    prices = {row.agreement.cost.per_submission for row in leaves.judges} - {None}
    if len(prices) < 2:
        return
    parts = [
        f"{listed([names[one.judge]])} at ${one.cost:,.2f}"
        + ("" if one.per_hundredth is None else f" (${one.per_hundredth:,.2f} for each 0.01 more)")
        for one in leaves.front
    ]
    yield f"best for their price, dollars a submission: {', '.join(parts)}"
