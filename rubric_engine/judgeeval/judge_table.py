"""The table of judges: how far each can be trusted, beside what needs no model at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.cost import Priced, front
from rubric_engine.judgeeval.covering import LabelCover, label_cover
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.leaf_sets import require_same_leaves
from rubric_engine.judgeeval.naming import told_apart
from rubric_engine.judgeeval.ranks import ranking
from rubric_engine.judgeeval.repeats import Consistency, consistency
from rubric_engine.judgeeval.resampled import Sampled, sampled
from rubric_engine.judgeeval.resampling import Draws
from rubric_engine.judgeeval.rows import Measured, Row, human_rows, judge_row, made_gold
from rubric_engine.judgeeval.standing_rows import BASELINES, baseline_rows
from rubric_engine.judgeeval.uncertainty import labelled


@dataclass(frozen=True, slots=True)
class LeafSet:
    """Judges that were measured on the same labelled leaves. Only these are ranked together.

    Attributes:
        rows: Best macro F1 first; judges without a rank come after all others.
        groups: Groups that hold its labelled leaves.
        labels: How much of each case's rubric has labels, by name of the case.
        unlike: What differs from the table's first leaf set; empty for that one.
        front: Judges that no cheaper one beats, cheapest first: dollars a submission, macro F1.
        made_gold: Annotators whose labels gold is made of; no row holds one against it.
        repeats: How far a judge that was measured more than once agrees with itself, by its rows.
        samples: How far a judge that asks about each leaf more than once does, by its row.
    """

    rows: tuple[Row, ...]
    groups: int
    labels: Mapping[str, LabelCover]
    unlike: tuple[str, ...]
    front: tuple[Priced, ...]
    made_gold: tuple[str, ...]
    repeats: Mapping[tuple[str, ...], Consistency]
    samples: Mapping[str, Sampled]

    @property
    def judges(self) -> tuple[Row, ...]:
        """The rows of judges."""
        return tuple(row for row in self.rows if row.kind == "judge")

    @property
    def highest_mean(self) -> float | None:
        """Mean macro F1 over submissions of a judge that is always right.

        Below 1 where a submission has labels of one class only: the other class's F1 is 0 there.
        """
        parts = self.baselines[0].agreement.submissions.values()
        best = [0.5 if one.headline.degenerate else 1.0 for one in parts if one.coverage.labelled]
        return sum(best) / len(best) if best else None

    @property
    def one_class(self) -> tuple[str, ...]:
        """Submissions with labels of one class only."""
        parts = self.baselines[0].agreement.submissions.items()
        return tuple(name for name, one in parts if one.headline.degenerate)

    @property
    def baselines(self) -> tuple[Row, ...]:
        """The rows of judges that need no model."""
        return tuple(row for row in self.rows if row.kind == "baseline")


@dataclass(frozen=True, slots=True)
class Table:
    """Judges with all their figures, by what they were measured on.

    Attributes:
        leaf_sets: In order of appearance.
    """

    leaf_sets: tuple[LeafSet, ...]


def table_of(evaluations: Sequence[Evaluation]) -> Table:
    """Put evaluations into a table.

    Args:
        evaluations: One for each judge. Names that stand twice are numbered.

    Returns:
        Rows for the judges, for annotators where a leaf has several, and for the baselines.
    """
    sets: list[list[Measured]] = []
    unlike: list[tuple[str, ...]] = []
    for judge in map(Measured, unique_names(evaluations), evaluations):
        found = [_what_differs(known[0], judge) for known in sets]
        if () in found:
            sets[found.index(())].append(judge)
        else:
            sets.append([judge])
            unlike.append(found[0] if found else ())
    return Table(tuple(map(_leaf_set, sets, unlike)))


def unique_names(evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
    """What the table calls them."""
    return told_apart([one.name for one in evaluations], BASELINES)


def _what_differs(known: Measured, judge: Measured) -> tuple[str, ...]:
    """What sets a judge's labelled leaves apart from another's; empty where nothing does."""
    try:
        require_same_leaves({known.name: known.pairs, judge.name: judge.pairs})
    except UsageError as error:
        return error.looked
    return ()


def _leaf_set(judges: Sequence[Measured], unlike: tuple[str, ...]) -> LeafSet:
    known = labelled(judges[0].pairs)
    draws = Draws.of(known)
    ranked = _ranked(judges, draws)
    rows = [*ranked, *human_rows(judges), *baseline_rows(judges[0], draws)]
    priced = [
        (row.name, row.agreement.cost.per_submission, row.f1)
        for row in ranked
        if row.rank is not None and row.f1 is not None
    ]
    return LeafSet(
        rows=tuple(sorted(rows, key=_merit)),
        groups=len(known.clusters),
        labels=label_cover(judges[0].evaluation),
        unlike=unlike,
        front=front((name, cost, f1) for name, cost, f1 in priced if cost is not None),
        made_gold=tuple(dict.fromkeys(n for one in judges for n in made_gold(one.evaluation))),
        repeats=_repeats(judges),
        samples={judge.name: found for judge in judges if (found := sampled(judge.evaluation))},
    )


def _merit(row: Row) -> tuple[bool, float]:
    behind = row.kind == "judge" and row.rank is None
    return behind, 1.0 if row.f1 is None else -row.f1


def _ranked(judges: Sequence[Measured], draws: Draws) -> list[Row]:
    """The judges' rows, with places for those that may have one; who is as good shares one."""
    rows = [judge_row(judge, draws) for judge in judges]
    whole = {row.name for row in rows if row.unranked is None}
    order = ranking({judge.name: judge.pairs for judge in judges if judge.name in whole})
    places: dict[str, int] = {}
    for _, equals in groupby(enumerate(order, start=1), key=lambda entry: entry[1][1]):
        members = list(equals)
        places |= {name: members[0][0] for _, (name, value) in members if value is not None}
    return [replace(row, rank=places.get(row.name)) for row in rows]


def _repeats(judges: Sequence[Measured]) -> dict[tuple[str, ...], Consistency]:
    """Judges that were asked more than once, told by all that makes a judge."""
    same: dict[str, list[Measured]] = {}
    for judge in judges:
        who = repr(judge.evaluation.judge.model_dump(exclude={"name"}))
        same.setdefault(who, []).append(judge)
    return {
        tuple(judge.name for judge in asked): consistency(_verdicts(asked))
        for asked in same.values()
        if len(asked) > 1
    }


def _verdicts(repeats: Sequence[Measured]) -> list[list[float | None]]:
    """Verdicts by labelled leaf, one of each repeat."""
    found: dict[tuple[str, str], list[float | None]] = {}
    for one in repeats:
        pairs = one.pairs
        for row, said, graded in zip(pairs.rows, pairs.said, pairs.graded, strict=True):
            if row.label is not None:
                verdict = float(said) if graded else None
                found.setdefault((row.submission, row.key), []).append(verdict)
    return list(found.values())
