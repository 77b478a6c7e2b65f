"""Whom a chart is about: judges by names that tell them apart, and sets of the same leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.charts.words import clip, counted, plain
from rubric_engine.judgeeval.covering import all_cover, label_cover
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.leaf_sets import require_same_leaves

NOBODY = "there is no evaluation"


@dataclass(frozen=True, slots=True)
class Subject:
    """An evaluation and the name that it has in charts."""

    name: str
    evaluation: Evaluation


def subjects(evaluations: Sequence[Evaluation]) -> tuple[Subject, ...]:
    """Name evaluations; where a name repeats, the later ones get a number."""
    found: dict[str, Evaluation] = {}
    for evaluation in evaluations:
        name = base = plain(evaluation.name) or "(no name)"
        number = 2
        while name in found:
            name, number = f"{base} ({number})", number + 1
        found[name] = evaluation
    return tuple(Subject(name, evaluation) for name, evaluation in found.items())


def leaf_sets(judges: Iterable[Subject]) -> list[list[Subject]]:
    """Judges that were measured on the same labelled leaves; others are never ranked together."""
    sets: list[list[Subject]] = []
    for judge in judges:
        home = next((known for known in sets if _alike(known[0], judge)), None)
        if home is None:
            sets.append([judge])
        else:
            home.append(judge)
    return sets


def _alike(one: Subject, other: Subject) -> bool:
    try:
        require_same_leaves({"a": one.evaluation.pairs, "b": other.evaluation.pairs})
    except UsageError:
        return False
    return True


def ground(judge: Subject) -> str:
    """How many leaves of how many submissions a judge was measured on."""
    pairs = judge.evaluation.pairs
    labelled, many = int(pairs.labelled.sum()), len(pairs.submissions)
    cover = all_cover(label_cover(judge.evaluation))
    part = "" if cover.complete else f", labels cover {cover.labelled:,} of {cover.leaves:,}"
    return f"{counted(labelled, 'labelled leaf')} of {counted(many, 'submission')}{part}"


def remarks(judges: Iterable[Subject]) -> list[str]:
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
