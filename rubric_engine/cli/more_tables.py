"""The tables of `judgeeval report --figures all`: every figure that the main tables leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rubric_engine.cli.comparison_text import WORDS
from rubric_engine.cli.footnotes import Footnotes
from rubric_engine.cli.judge_tables import NO_GRADE, judges_table
from rubric_engine.cli.output import fill, table
from rubric_engine.figures import written

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval import Calibration, ClassFigures, Estimate, Interval, LeafSet, Row

PUBLISHED = (
    "acc, prec, rec, F1: as PaperBench prints them; means over both classes. tp, fp,",
    "fn, tn: leaves, the human being the truth and met positive. A leaf without a",
    "grade counts as wrong.",
)

CLASSES = (
    "Precision, recall and F1 of what is met, and of what is not. R met is the",
    "sensitivity, R not the specificity.",
)

RATES = (
    "human, judge: share called met, the judge's of the leaves that it graded. bias:",
    "(fp - fn) / leaves; above 0 is lenient. AC1 rewards constant judges: choose none",
    "by it.",
)

INTERVALS = (
    "all, worth, mean: over all leaves, these weighted by worth, and of the",
    "submissions' figures. these: 95% interval for these submissions. new: the mean's",
    "for new submissions.",
)

CALIBRATION = (
    "leaves: with a probability. Brier, ECE: how far probabilities are off. AURC:",
    "share wrong among the surest leaves, over every number of them. AUROC: how well",
    "confidence tells right from wrong.",
)


def more_tables(
    leaves: LeafSet, names: Mapping[str, str], notes: Footnotes, *, explained: bool
) -> Iterator[str | Table]:
    """Every figure that the main tables leave out.

    Args:
        leaves: The leaf set.
        names: What tables show for each row.
        notes: Takes the reasons of dashes.
        explained: Whether to say what the columns are.
    """
    yield _published(leaves, names, notes)
    yield from PUBLISHED if explained else ()
    yield ""
    yield _classes(leaves, names, notes)
    yield from CLASSES if explained else ()
    yield ""
    yield _rates(leaves, names, notes)
    yield from RATES if explained else ()
    yield from _intervals(leaves, names, notes, explained=explained)
    found = calibrations(leaves)
    if found:
        yield ""
        yield _calibration(found, names, notes)
        yield from CALIBRATION if explained else ()


def calibrations(leaves: LeafSet) -> dict[str, Calibration]:
    """How the probabilities of judges fare, by name; none of judges that give none."""
    from rubric_engine.judgeeval import calibration

    return {
        row.name: calibration(row.evaluation.pairs)
        for row in leaves.judges
        if row.evaluation and any(leaf.probability is not None for leaf in row.evaluation.leaves)
    }


def _published(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Table:
    def cells(row: Row, who: str) -> Iterator[str]:
        found = row.agreement.pooled.headline
        for name in ("accuracy", "precision", "recall", "f1"):
            yield notes.figure(getattr(found, name), name, found.why.get(name), who, ".3f")
        counts = found.cells
        yield from map(_count, (counts.tp, counts.fp, counts.fn, counts.tn))

    heads = ("acc", "prec", "rec", "F1", "tp", "fp", "fn", "tn")
    return judges_table(leaves, names, heads, cells)


def _count(leaves: float) -> str:
    """A coin's counts are what it comes to on average, and may be halves."""
    return f"{leaves:,.1f}".removesuffix(".0")


def _classes(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Table:
    def cells(row: Row, who: str) -> Iterator[str]:
        found = row.agreement.pooled.headline
        for name in ("met", "not_met"):
            one: ClassFigures = getattr(found, name)
            for part in ("precision", "recall", "f1"):
                what, why = f"{part} of {name.replace('_', ' ')}", found.why.get(f"{name}.{part}")
                yield notes.figure(getattr(one, part), what, why, who, ".3f")

    return judges_table(
        leaves, names, ("P met", "R met", "F1 met", "P not", "R not", "F1 not"), cells
    )


def _rates(leaves: LeafSet, names: Mapping[str, str], notes: Footnotes) -> Table:
    def cells(row: Row, who: str) -> Iterator[str]:
        found, said = row.agreement.pooled.headline, row.agreement.pooled.graded
        why = found.why.get
        yield notes.figure(found.human_rate, "human rate", why("human_rate"), who, ".1%")
        yield notes.figure(said.judge_rate, "judge rate", NO_GRADE, who, ".1%")
        yield notes.figure(found.rate_bias, "rate bias", why("rate_bias"), who, "+.1%")
        yield notes.figure(found.ac1, "AC1", why("ac1"), who, ".3f")
        yield notes.figure(found.alpha, "alpha", why("alpha"), who, ".3f")

    return judges_table(leaves, names, ("human", "judge", "bias", "AC1", "alpha"), cells)


def _intervals(
    leaves: LeafSet, names: Mapping[str, str], notes: Footnotes, *, explained: bool
) -> Iterator[str | Table]:
    """A table for each judge and human: every headline figure with its intervals."""
    heads = ("all", "these", "worth", "these", "mean", "new")
    for row in leaves.rows:
        if row.intervals is None or row.kind == "baseline":
            continue
        who = names[row.name]
        rows = [[_narrow(name), *_estimates(row, name, who, notes)] for name in WORDS]
        yield ""
        yield who
        yield fill(table("<figure", *heads), rows)
        yield from INTERVALS if explained else ()
        explained = False


def _narrow(name: str) -> str:
    """A figure's name where three intervals stand beside it."""
    return WORDS[name].removesuffix(" acc.")


def _estimates(row: Row, name: str, who: str, notes: Footnotes) -> Iterator[str]:
    assert row.intervals is not None
    found, words, pooled = row.intervals[name], WORDS[name], row.agreement.pooled

    def pair(one: Estimate, interval: Interval, how: str, why: str | None) -> Iterator[str]:
        yield notes.figure(one.value, f"{words} {how}".rstrip(), why, who)
        if interval.low is None or interval.high is None:
            yield notes.dash(f"interval of {words} {how}".rstrip(), interval.why, who)
        else:
            yield f"{written(interval.low, '.2f')} to {written(interval.high, '.2f')}"

    yield from pair(found.pooled, found.pooled.here, "", pooled.headline.why.get(name))
    yield from pair(found.by_worth, found.by_worth.here, "by worth", pooled.by_worth.why.get(name))
    why = row.agreement.means[name].why
    yield from pair(found.mean, found.mean.anew, "for new submissions", why)


def _calibration(
    found: dict[str, Calibration], names: Mapping[str, str], notes: Footnotes
) -> Table:

    def cells(name: str) -> Iterator[str]:
        one, who = found[name], names[name]
        yield who
        yield f"{one.n:,}"
        yield notes.figure(one.brier, "Brier score", one.why, who, ".3f")
        yield notes.figure(one.ece, "ECE", one.why, who, ".3f")
        for risk, how in ((one.risk, ""), (one.risk_by_worth, " by worth")):
            why = one.why or "no leaf with a probability is worth anything"
            yield notes.figure(risk.aurc if risk else None, f"AURC{how}", why, who, ".3f")
        auroc = one.risk.auroc if one.risk else None
        yield notes.figure(auroc, "AUROC", one.why or "all leaves right, or all wrong", who, ".3f")

    heads = ("leaves", "Brier", "ECE", "AURC", "by worth", "AUROC")
    return fill(table("<judge", *heads), map(cells, found))
