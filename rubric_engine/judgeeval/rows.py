"""The rows of a table of judges: judges, humans, and judges that need no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

from rubric_engine.judgeeval.baseline import SecondLabels, human
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.holes import Hole, holes_of
from rubric_engine.judgeeval.labelling.gold import GOLD_NAME
from rubric_engine.judgeeval.pairs import Pair, Pairs, is_number
from rubric_engine.judgeeval.resampling import Draws
from rubric_engine.judgeeval.roots_known import KnownRoots, known_roots, roots_by_worth
from rubric_engine.judgeeval.slices import Agreement, agreement, coverage
from rubric_engine.judgeeval.uncertainty import Estimates, estimates

PARTLY = "not every labelled leaf has both verdicts, so root scores are unknown"


@dataclass(frozen=True, eq=False)
class Measured:
    """An evaluation under its name, with what is needed of it more than once."""

    name: str
    evaluation: Evaluation

    @cached_property
    def pairs(self) -> Pairs:
        """Labels and grades side by side."""
        return self.evaluation.pairs

    @cached_property
    def known(self) -> KnownRoots:
        """Its root scores, and why others are not known."""
        return known_roots(self.evaluation, self.pairs)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of judges.

    Attributes:
        name: What the table calls it; no other row has this name.
        kind: ``judge``; ``human``, a second annotator in a judge's place; or ``baseline``.
        agreement: All its figures. A coin's are what it comes to on average.
        intervals: By name of the figure, for each of `HEADLINE`; None for a coin.
        evaluation: What a judge's row is made of.
        rank: A judge's place by macro F1, from 1; equals share theirs.
        unranked: Why a row has no rank, or stands on fewer leaves than its neighbours.
        holes: A judge's labelled leaves without a grade, by reason.
    """

    name: str
    kind: Literal["judge", "human", "baseline"]
    agreement: Agreement
    intervals: Mapping[str, Estimates] | None = None
    evaluation: Evaluation | None = None
    rank: int | None = None
    unranked: str | None = None
    holes: Mapping[str, Hole] = field(default_factory=dict)

    @property
    def f1(self) -> float | None:
        """Pooled macro F1, a leaf without a grade counting as wrong."""
        return self.agreement.pooled.headline.f1


def judge_row(judge: Measured, draws: Draws) -> Row:
    """The row of a judge.

    Args:
        judge: The judge.
        draws: Resamples of the labelled leaves' groups.
    """
    pairs, evaluation = judge.pairs, judge.evaluation
    found = with_roots(pairs, judge.known)
    why = lacking(evaluation)
    return Row(
        name=judge.name,
        kind="judge",
        agreement=found,
        intervals=estimates(pairs, draws=draws),
        evaluation=evaluation,
        unranked=why,
        holes=holes_of(evaluation),
    )


def lacking(evaluation: Evaluation) -> str | None:
    """What an evaluation lacks to be ranked; None where it is complete."""
    open_ = [repr(case.name) for case in evaluation.cases if not case.finished]
    if open_:
        more = f" and {len(open_) - 3} more" if len(open_) > 3 else ""
        return f"still to be judged: {', '.join(open_[:3])}{more}"
    kept = Counter(leaf.case for leaf in evaluation.leaves if leaf.label is not None)
    drawn = evaluation.sample is not None
    lost = [
        repr(case.name)
        for case in evaluation.cases
        if kept[case.name] < (case.asked if drawn or kept[case.name] else case.labelled)
    ]
    return f"leaves of {', '.join(lost)} are missing from the file" if lost else None


def human_rows(judges: Iterable[Measured]) -> tuple[Row, ...]:
    """A row for each two annotators: one in a judge's place, the other as the truth.

    Nobody is held against labels that are made of their own, as gold is.

    Args:
        judges: Judges on the same labelled leaves; only what humans said matters. Where they know
            different labels of an annotator, the most are taken.
    """
    found: dict[str, tuple[Measured, Pairs]] = {}
    for judge in judges:
        for name, both in _humans(judge):
            if name not in found or len(both) > len(found[name][1]):
                found[name] = judge, both
    return tuple(_human_row(name, *both) for name, both in found.items())


def _humans(judge: Measured) -> Iterator[tuple[str, Pairs]]:
    """Each two annotators, on the leaves that both judged."""
    pairs, evaluation = judge.pairs, judge.evaluation
    for name in evaluation.annotators:
        owners = {
            case.name: case.annotator
            for case in evaluation.cases
            if case.annotator not in (GOLD_NAME, name)
        }
        free = human(pairs.only(partial(_stands_in, owners)), evaluation.second(name))
        if len(free):
            yield f"human {name} vs {' or '.join(dict.fromkeys(owners.values()))}", free
    for first, name in evaluation.annotator_pairs:
        truth = _labelled_by(evaluation.second(first), pairs)
        yield f"human {name} vs {first}", human(truth, evaluation.second(name))


def _stands_in(cases: Container[str], row: Pair) -> bool:
    return row.submission in cases


def made_gold(evaluation: Evaluation) -> tuple[str, ...]:
    """Annotators whose own labels gold is made of; it agrees with them by construction."""
    cases = {case.name for case in evaluation.cases if case.annotator == GOLD_NAME}
    found = (name for leaf in evaluation.leaves if leaf.case in cases for name in leaf.others)
    return tuple(dict.fromkeys(found))


def _labelled_by(labels: SecondLabels, pairs: Pairs) -> Pairs:
    rows = (
        replace(row, label=labels.get((row.submission, row.key)))
        for row in pairs.rows
        if is_number(row.label)
    )
    return Pairs.of(rows, threshold=pairs.threshold)


def _human_row(name: str, judge: Measured, both: Pairs) -> Row:
    judged, of = coverage(both).labelled, coverage(judge.pairs).labelled
    known = roots_by_worth(judge.evaluation, both)
    if judged < of:
        known = KnownRoots((), {}, PARTLY)
    fewer = None if judged == of else f"{judged:,} of {of:,} labelled leaves have both verdicts"
    return Row(name, "human", with_roots(both, known), estimates(both), unranked=fewer)


def with_roots(pairs: Pairs, known: KnownRoots) -> Agreement:
    """The agreement with these root scores, or with the reason why there is no error of them."""
    found = agreement(pairs, roots=known.roots if known.why is None else ())
    why = found.root.why if known.why is None else known.why
    return replace(found, root=replace(found.root, why=why, unknown=known.unknown))
