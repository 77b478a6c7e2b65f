"""The table of judges: how far each can be trusted, beside what needs no model at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.cost import Priced, front
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.leaf_sets import require_same_leaves
from rubric_engine.judgeeval.naming import told_apart
from rubric_engine.judgeeval.ranks import ranking
from rubric_engine.judgeeval.repeats import Consistency, consistency
from rubric_engine.judgeeval.rows import BASELINES, Row, baseline_rows, human_rows, judge_row


@dataclass(frozen=True, slots=True)
class LeafSet:
    """Judges that were measured on the same labelled leaves. Only these are ranked together.

    Attributes:
        rows: Best macro F1 first; judges without a rank come after all others.
        groups: Groups that hold its labelled leaves.
        unlike: What differs from the table's first leaf set; empty for that one.
        front: Judges that no cheaper one beats, cheapest first: dollars a submission, macro F1.
        repeats: How far a judge that was asked more than once agrees with itself, by its rows.
    """

    rows: tuple[Row, ...]
    groups: int
    unlike: tuple[str, ...]
    front: tuple[Priced, ...]
    repeats: Mapping[tuple[str, ...], Consistency]

    @property
    def judges(self) -> tuple[Row, ...]:
        """The rows of judges."""
        return tuple(row for row in self.rows if row.kind == "judge")

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
    named = dict(zip(unique_names(evaluations), evaluations, strict=True))
    sets: list[dict[str, Evaluation]] = []
    unlike: list[tuple[str, ...]] = []
    for name, evaluation in named.items():
        found = [_what_differs(one, name, evaluation) for one in sets]
        if () in found:
            sets[found.index(())][name] = evaluation
        else:
            sets.append({name: evaluation})
            unlike.append(found[0] if found else ())
    return Table(tuple(map(_leaf_set, sets, unlike)))


def unique_names(evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
    """What the table calls them."""
    return told_apart([one.name for one in evaluations], BASELINES)


def _what_differs(
    known: Mapping[str, Evaluation], name: str, evaluation: Evaluation
) -> tuple[str, ...]:
    """What sets an evaluation's labelled leaves apart from others'; empty where nothing does."""
    first = next(iter(known))
    try:
        require_same_leaves({first: known[first].pairs, name: evaluation.pairs})
    except UsageError as error:
        return error.looked
    return ()


def _leaf_set(named: Mapping[str, Evaluation], unlike: tuple[str, ...]) -> LeafSet:
    reference = next(iter(named.values()))
    judges = _ranked([judge_row(name, one) for name, one in named.items()])
    rows = [*judges, *human_rows(named.values()), *baseline_rows(reference)]
    priced = [
        (row.name, row.agreement.cost.per_submission, row.f1)
        for row in judges
        if row.rank is not None and row.f1 is not None
    ]
    labelled = reference.pairs.only(lambda row: row.label is not None)
    return LeafSet(
        rows=tuple(sorted(rows, key=_merit)),
        groups=len(labelled.clusters),
        unlike=unlike,
        front=front((name, cost, f1) for name, cost, f1 in priced if cost is not None),
        repeats=_repeats(named),
    )


def _merit(row: Row) -> tuple[bool, float]:
    behind = row.kind == "judge" and row.rank is None
    return behind, 1.0 if row.f1 is None else -row.f1


def _ranked(rows: list[Row]) -> list[Row]:
    """Give the judges that may be ranked their places; who is as good shares a place."""
    order = ranking(
        {row.name: row.evaluation.pairs for row in rows if row.evaluation and not row.unranked}
    )
    places: dict[str, int] = {}
    for _, equals in groupby(enumerate(order, start=1), key=lambda entry: entry[1][1]):
        members = list(equals)
        places |= {name: members[0][0] for _, (name, value) in members if value is not None}
    return [replace(row, rank=places.get(row.name)) for row in rows]


def _repeats(named: Mapping[str, Evaluation]) -> dict[tuple[str, ...], Consistency]:
    """Judges that were asked more than once, told by all that makes a judge."""
    same: dict[str, list[str]] = {}
    for name, one in named.items():
        same.setdefault(one.judge.model_dump_json(exclude={"name"}), []).append(name)
    return {
        tuple(names): consistency(_verdicts([named[name] for name in names]))
        for names in same.values()
        if len(names) > 1
    }


def _verdicts(repeats: Sequence[Evaluation]) -> list[list[float | None]]:
    """Verdicts by labelled leaf, one of each repeat."""
    found: dict[tuple[str, str], list[float | None]] = {}
    for one in repeats:
        pairs = one.pairs
        for row, said, graded in zip(pairs.rows, pairs.said, pairs.graded, strict=True):
            if row.label is not None:
                verdict = float(said) if graded else None
                found.setdefault((row.submission, row.key), []).append(verdict)
    return list(found.values())
