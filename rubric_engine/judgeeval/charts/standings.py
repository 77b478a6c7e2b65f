"""The rows of the judges' chart: judges best first, then those that any judge must beat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.baseline import baselines, constant, human, majority
from rubric_engine.judgeeval.charts.subjects import Subject
from rubric_engine.judgeeval.charts.words import plain
from rubric_engine.judgeeval.intervals import Interval
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.root import Root
from rubric_engine.judgeeval.roots_known import known_roots
from rubric_engine.judgeeval.slices import agreement
from rubric_engine.judgeeval.uncertainty import estimates


@dataclass(frozen=True, slots=True)
class Standing:
    """What the chart shows of a judge; None is what it cannot know.

    Attributes:
        name: The judge.
        judge: False for rows that need no judge: constants, the coin, humans.
        ranked: False while cases are still to be judged.
        pooled: Macro F1 over all leaves, leaves without a grade counting as wrong.
        here: Its interval for these submissions.
        mean: Mean over submissions of macro F1.
        anew: Its interval for new submissions.
        coverage: Share of the labelled leaves with a grade.
        kappa: Cohen's, pooled.
        error: Mean absolute error of root scores, in points of 100.
        usd: Dollars for a submission.
        categories: Pooled macro F1 by category.
    """

    name: str
    judge: bool
    ranked: bool
    pooled: float | None
    here: Interval | None
    mean: float | None
    anew: Interval | None
    coverage: float | None
    kappa: float | None
    error: float | None
    usd: float | None
    categories: Mapping[str, float | None]


def standings(judges: Iterable[Subject]) -> list[Standing]:
    """The rows of judges on the same leaves, best first, and the rows that always stand there."""
    known = list(judges)
    rows = [_of_judge(judge) for judge in known]
    rows.sort(
        key=lambda row: (row.ranked, -1.0 if row.pooled is None else row.pooled), reverse=True
    )
    return rows + _always(known)


def _of_judge(judge: Subject) -> Standing:
    evaluation = judge.evaluation
    return _standing(
        judge.name,
        evaluation.pairs,
        known_roots(evaluation).roots,
        judge=True,
        ranked=evaluation.complete,
    )


def _standing(
    name: str, pairs: Pairs, roots: Iterable[Root] = (), *, judge: bool = False, ranked: bool = True
) -> Standing:
    found = agreement(pairs, roots=roots)
    f1 = estimates(pairs)["f1"]
    pooled = found.pooled
    return Standing(
        name=name,
        judge=judge,
        ranked=ranked,
        pooled=pooled.headline.f1,
        here=f1.pooled.here,
        mean=f1.mean.value,
        anew=f1.mean.anew,
        coverage=pooled.coverage.leaves if pooled.coverage.labelled else None,
        kappa=pooled.headline.kappa,
        error=None if found.root.mae is None else 100 * found.root.mae,
        usd=found.cost.per_submission,
        categories={category: one.headline.f1 for category, one in found.categories.items()},
    )


def _always(judges: list[Subject]) -> list[Standing]:
    pairs = judges[0].evaluation.pairs
    second = {
        name: judge.evaluation.second(name)
        for judge in judges
        for name in judge.evaluation.annotators
    }
    title = "human against human"
    humans = {
        f"{title} ({plain(name)})" if len(second) > 1 else title: human(pairs, scores)
        for name, scores in second.items()
    }
    return [
        *(_standing(name, said) for name, said in humans.items()),
        _standing("majority of the category", majority(pairs)),
        _coin(pairs),
        _standing("always met", constant(pairs, 1.0)),
        _standing("always not met", constant(pairs, 0.0)),
    ]


def _coin(pairs: Pairs) -> Standing:
    """A coin has no grades, so all that is known of it is what it comes to on average."""
    row = baselines(pairs)["coin"]
    parts = pairs.by(lambda pair: pair.category)
    return Standing(
        name="coin",
        judge=False,
        ranked=True,
        pooled=row.pooled.f1,
        here=None,
        mean=row.means["f1"],
        anew=None,
        coverage=None,
        kappa=row.pooled.kappa,
        error=None,
        usd=None,
        categories={name: baselines(part)["coin"].pooled.f1 for name, part in parts.items()},
    )
