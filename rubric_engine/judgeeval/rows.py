"""The rows of a table of judges: judges, humans, and judges that need no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from rubric_engine.judgeeval.baseline import SecondLabels, coin, constant, human, majority
from rubric_engine.judgeeval.cost import Costs
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.measures import HEADLINE
from rubric_engine.judgeeval.metrics import figures
from rubric_engine.judgeeval.pairs import TOLERANCE, Pairs, is_number
from rubric_engine.judgeeval.root import Root, root_errors, roots_of
from rubric_engine.judgeeval.slices import Agreement, Slice, agreement, coverage, mean_of
from rubric_engine.judgeeval.tables import table
from rubric_engine.judgeeval.uncertainty import Estimates, estimates

BASELINES = ("always met", "always not met", "coin", "majority of the category")
"""Judges that need no model, and always stand in a table."""

SAMPLED = "only a sample of the leaves was judged, so root scores are unknown"
TOSSED = "a coin's root score depends on the toss"
AGGREGATED = "rubrics whose groups aggregate otherwise than by weighted mean need their tree"
PARTLY = "not every labelled leaf has both verdicts, so root scores are unknown"

FREE = Costs(known=0.0, unpriced=0, per_submission=0.0, per_leaf=0.0)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of judges.

    Attributes:
        name: What the table calls it; no other row has this name.
        kind: ``judge``; ``human``, a second annotator in a judge's place; or ``baseline``.
        agreement: All its figures. A coin's are what it comes to on average.
        intervals: By name of the figure, for each of `HEADLINE`; None for baselines.
        evaluation: What a judge's row is made of.
        rank: A judge's place by macro F1, from 1; equals share theirs.
        unranked: Why a row has no rank, or stands on fewer leaves than its neighbours.
    """

    name: str
    kind: Literal["judge", "human", "baseline"]
    agreement: Agreement
    intervals: Mapping[str, Estimates] | None = None
    evaluation: Evaluation | None = None
    rank: int | None = None
    unranked: str | None = None

    @property
    def f1(self) -> float | None:
        """Pooled macro F1, a leaf without a grade counting as wrong."""
        return self.agreement.pooled.headline.f1


def judge_row(name: str, evaluation: Evaluation) -> Row:
    """The row of a judge.

    Args:
        name: What to call it.
        evaluation: What it said.
    """
    pairs = evaluation.pairs
    if evaluation.sample is None:
        found = agreement(pairs, roots=known_roots(evaluation).values())
    else:
        found = _without_roots(agreement(pairs, roots=()), SAMPLED)
    return Row(name, "judge", found, estimates(pairs), evaluation, unranked=unfinished(evaluation))


def unfinished(evaluation: Evaluation) -> str | None:
    """What an evaluation lacks to be ranked; None where it is complete."""
    if not evaluation.complete:
        return "cases are still to be judged"
    kept = Counter(leaf.case for leaf in evaluation.leaves if leaf.label is not None)
    drawn = evaluation.sample is not None
    lost = [
        repr(case.name)
        for case in evaluation.cases
        if kept[case.name] < (case.asked if drawn or kept[case.name] else case.labelled)
    ]
    return f"leaves of {', '.join(lost)} are missing from the file" if lost else None


def known_roots(evaluation: Evaluation) -> dict[str, Root]:
    """Root scores by submission, by worth where an evaluation keeps none.

    A case that broke may have kept none; without it the mean error would look better.
    """
    by_worth = {root.submission: root for root in roots_of(evaluation.pairs)}
    return by_worth | {root.submission: root for root in evaluation.roots or ()}


def baseline_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """The rows that always stand in a table.

    Args:
        evaluation: Any judge's; only its labels matter.
    """
    pairs = evaluation.pairs
    rows = (
        _constant(evaluation, 1.0),
        _constant(evaluation, 0.0),
        _without_roots(_coin(pairs), TOSSED),
        _by_worth(majority(pairs), _why_no_roots(evaluation)),
    )
    named = zip(BASELINES, rows, strict=True)
    return tuple(Row(name, "baseline", replace(row, cost=FREE)) for name, row in named)


def human_rows(evaluations: Iterable[Evaluation]) -> tuple[Row, ...]:
    """A row for each two annotators: one in a judge's place, the other as the truth.

    Args:
        evaluations: Judges on the same labelled leaves; only what humans said matters. Where they
            know different labels of an annotator, the most are taken.
    """
    found: dict[str, tuple[Evaluation, Pairs]] = {}
    for evaluation in evaluations:
        for name, both in _humans(evaluation):
            if name not in found or len(both) > len(found[name][1]):
                found[name] = evaluation, both
    return tuple(_human_row(name, *both) for name, both in found.items())


def _humans(evaluation: Evaluation) -> Iterator[tuple[str, Pairs]]:
    """Each two annotators, on the leaves that both judged."""
    pairs = evaluation.pairs
    owner = " or ".join(dict.fromkeys(case.annotator for case in evaluation.cases))
    for name in evaluation.annotators:
        yield f"human {name} vs {owner}", human(pairs, evaluation.second(name))
    for first, name in evaluation.annotator_pairs:
        truth = _labelled_by(evaluation.second(first), pairs)
        yield f"human {name} vs {first}", human(truth, evaluation.second(name))


def _labelled_by(labels: SecondLabels, pairs: Pairs) -> Pairs:
    rows = (
        replace(row, label=labels.get((row.submission, row.key)))
        for row in pairs.rows
        if is_number(row.label)
    )
    return Pairs.of(rows, threshold=pairs.threshold)


def _human_row(name: str, evaluation: Evaluation, both: Pairs) -> Row:
    judged, of = coverage(both).labelled, coverage(evaluation.pairs).labelled
    why = _why_no_roots(evaluation) if judged == of else PARTLY
    fewer = None if judged == of else f"{judged:,} of {of:,} labelled leaves have both verdicts"
    return Row(name, "human", _by_worth(both, why), estimates(both), unranked=fewer)


def _why_no_roots(evaluation: Evaluation) -> str | None:
    """Why sums of worth would not be the root scores of these cases; None where they are."""
    if evaluation.sample is not None:
        return SAMPLED
    humans = {root.submission: root.human for root in evaluation.roots or ()}
    for root in roots_of(evaluation.pairs):
        if abs(root.human - humans.get(root.submission, root.human)) > TOLERANCE:
            return AGGREGATED
    return None


def _by_worth(pairs: Pairs, why_not: str | None) -> Agreement:
    if why_not is None:
        return agreement(pairs)
    return _without_roots(agreement(pairs, roots=()), why_not)


def _constant(evaluation: Evaluation, grade: float) -> Agreement:
    pairs = constant(evaluation.pairs, grade)
    if evaluation.sample is not None:
        return _by_worth(pairs, SAMPLED)
    # Whatever groups make of their leaves, they make 0 of zeros and 1 of ones.
    humans = {name: root.human for name, root in known_roots(evaluation).items()}
    roots = [replace(root, human=humans[root.submission]) for root in roots_of(pairs)]
    return agreement(pairs, roots=roots)


def _coin(pairs: Pairs) -> Agreement:
    submissions = pairs.by(lambda row: row.submission)
    by_submission = {name: _coin_slice(part) for name, part in submissions.items()}
    categories = pairs.by(lambda row: row.category)
    return Agreement(
        pooled=_coin_slice(pairs),
        submissions=MappingProxyType(by_submission),
        means=MappingProxyType({name: mean_of(name, by_submission) for name in HEADLINE}),
        categories=MappingProxyType({name: _coin_slice(own) for name, own in categories.items()}),
        root=root_errors(()),
        cost=FREE,
    )


def _coin_slice(pairs: Pairs) -> Slice:
    cover = coverage(constant(pairs, 0.0))
    leaves = figures(coin(table(pairs)), n=None)
    worth = figures(coin(table(pairs, by_worth=True)), n=cover.labelled)
    return Slice(cover, leaves, leaves, leaves, leaves, worth, worth)


def _without_roots(found: Agreement, why: str) -> Agreement:
    return replace(found, root=replace(root_errors(()), why=why))
