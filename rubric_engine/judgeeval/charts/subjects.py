"""Whom a chart is about: judges by names that tell them apart, and sets of the same leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.judgeeval.charts.words import clip, counted, plain
from rubric_engine.judgeeval.covering import all_cover, label_cover
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.judge_table import LeafSet, Table, table_of, unique_names
from rubric_engine.judgeeval.naming import told_apart, without_model
from rubric_engine.judgeeval.rows import Measured
from rubric_engine.judgeeval.standing_rows import BASELINES

NOBODY = "there is no evaluation"


@dataclass(frozen=True, eq=False)
class Ground:
    """Judges on the same labelled leaves; others are never ranked together.

    Attributes:
        judges: In the order given.
        leaves: What the table of judges says.
        names: What charts call the judges, by the table's name.
    """

    judges: tuple[Measured, ...]
    leaves: LeafSet
    names: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Cast:
    """Whom charts show.

    Attributes:
        judges: Judges under the names that charts give them, in the order given.
        grounds: The same by what they were measured on.
    """

    judges: tuple[Measured, ...]
    grounds: tuple[Ground, ...]


def cast_of(evaluations: Sequence[Evaluation], table: Table | None = None) -> Cast:
    """Name evaluations, and put them beside what the table of judges says of them.

    Args:
        evaluations: One for each judge.
        table: What `table_of` makes of them, where it is at hand.
    """
    known = unique_names(evaluations)
    shown = told_apart(
        [plain(name) or "(no name)" for name in known], map(without_model, BASELINES)
    )
    judges = dict(zip(known, map(Measured, shown, evaluations), strict=True))
    sets = (table or table_of(evaluations)).leaf_sets
    return Cast(tuple(judges.values()), tuple(_ground(judges, leaves) for leaves in sets))


def _ground(judges: Mapping[str, Measured], leaves: LeafSet) -> Ground:
    here = {row.name for row in leaves.judges}
    own = {name: judge for name, judge in judges.items() if name in here}
    return Ground(tuple(own.values()), leaves, {name: judge.name for name, judge in own.items()})


def size(judge: Measured) -> str:
    """How many leaves of how many submissions a judge was measured on."""
    pairs = judge.pairs
    labelled, many = int(pairs.labelled.sum()), len(pairs.submissions)
    cover = all_cover(label_cover(judge.evaluation))
    part = "" if cover.complete else f", labels cover {cover.labelled:,} of {cover.leaves:,}"
    return f"{counted(labelled, 'labelled leaf')} of {counted(many, 'submission')}{part}"


def remarks(judges: Iterable[Measured]) -> list[str]:
    """What a reader must know of single judges before taking their numbers."""
    return [
        f"{clip(judge.name, 300, 11)}: {said}."
        for judge in judges
        for said in _remarks(judge.evaluation)
    ]


def _remarks(evaluation: Evaluation) -> Iterable[str]:
    if not evaluation.complete:
        yield "not complete, cases are still to be judged, so it is not ranked"
    if evaluation.sample is not None:
        yield f"a sample of {evaluation.sample.size:,} of {evaluation.sample.of:,} labelled leaves"
    for case in evaluation.cases:
        if case.trouble is not None:
            yield f"trouble on {clip(case.name, 200, 11)}: {clip(case.trouble, 300, 11)}"
