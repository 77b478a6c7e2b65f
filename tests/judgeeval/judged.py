"""Evaluations made by hand: what a judge said of leaves whose labels are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubric_engine.judgeeval import (
    CaseResult,
    CaseRoot,
    Evaluation,
    JudgeIdentity,
    LeafResult,
    Pairs,
    roots_of,
)

Score = float | None
Case = tuple[Sequence[Score], Sequence[Score]]
"""Labels and grades, leaf by leaf."""

CATEGORIES = ("Code Development", "Code Execution", "Result Analysis")


def evaluation(
    name: str,
    cases: Mapping[str, Case],
    *,
    categories: Sequence[str] = CATEGORIES,
    others: Mapping[str, Sequence[Score]] | None = None,
    usd: float | None = None,
    facts: Mapping[str, Mapping[str, Any]] | None = None,
    complete: bool = True,
    **more: Any,
) -> Evaluation:
    """What a judge said of cases; two leaves to a group, all of equal worth.

    Args:
        name: Its name.
        cases: Labels and grades by case.
        categories: Given to leaves in turn.
        others: Scores of further annotators, for every case the same.
        usd: Dollars a case.
        facts: More fields of single cases.
        complete: Whether its last case was judged to the end.
        **more: More fields of the evaluation.
    """
    leaves = [
        leaf
        for case, (labels, grades) in cases.items()
        for leaf in _leaves(case, labels, grades, categories, others or {}, usd)
    ]
    results = [
        _case(case, labels, [one for one in leaves if one.case == case], usd).model_copy(
            update=dict((facts or {}).get(case, {}))
        )
        for case, (labels, _) in cases.items()
    ]
    if not complete:
        results[-1] = results[-1].model_copy(update={"finished": False})
    fields: dict[str, Any] = {
        "name": name,
        "judge": JudgeIdentity(name=name, fingerprint=f"print of {name}"),
        "made_at": "2026-01-01T00:00:00Z",
        "version": "0.1.0",
        "cases": tuple(results),
        "leaves": tuple(leaves),
    }
    return Evaluation(**(fields | more))


def _leaves(
    case: str,
    labels: Sequence[Score],
    grades: Sequence[Score],
    categories: Sequence[str],
    others: Mapping[str, Sequence[Score]],
    usd: float | None,
) -> list[LeafResult]:
    return [
        LeafResult(
            case=case,
            key=f"leaf-{i}",
            parent=f"group-{i // 2}",
            category=categories[i % len(categories)],
            worth=1 / len(labels),
            label=label,
            others={who: scores[i] for who, scores in others.items() if i < len(scores)},
            status="ungradeable" if grade is None else "graded",
            score=grade,
            reason="provider_error" if grade is None else None,
            cost=None if usd is None else usd / len(labels),
        )
        for i, (label, grade) in enumerate(zip(labels, grades, strict=True))
    ]


def _case(
    name: str, labels: Sequence[Score], leaves: Sequence[LeafResult], usd: float | None
) -> CaseResult:
    known = sum(label is not None for label in labels)
    bare = Evaluation.model_construct(leaves=tuple(leaves), threshold=0.5)
    roots = roots_of(Pairs.of(bare.pairs.rows))
    root = (
        CaseRoot(
            human=roots[0].human,
            low=roots[0].low,
            high=min(1.0, roots[0].high),
            leaf_error=roots[0].leaf_error,
        )
        if roots
        else None
    )
    return CaseResult(
        name=name,
        task="a-task",
        rubric_sha256="0" * 64,
        labels_sha256="1" * 64,
        annotator="ana",
        submission_sha256="2" * 64,
        leaves=len(labels),
        labelled=known,
        asked=known,
        root=root,
        paid=usd,
        finished=True,
    )


LABELS = {
    "a": [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0],
    "b": [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0],
    "c": [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0],
}


def wrong_on(
    places: Sequence[int], labels: Mapping[str, Sequence[float]] = LABELS
) -> dict[str, Case]:
    """Cases whose judge has the leaves at these places wrong, in every case."""
    return {
        case: (own, [1 - y if i in places else y for i, y in enumerate(own)])
        for case, own in labels.items()
    }


ROOTLESS = {"root": None, "leaves": 40}
"""What `evaluate` says of a case whose labels cover 12 of 40 leaves."""


def partly(name: str = "j", cases: dict[str, Case] | None = None, **more: object) -> Evaluation:
    """A judge on cases of which `a` has labels for a part of its rubric; the others are whole."""
    judged = evaluation(name, cases or wrong_on([1]), facts={"a": ROOTLESS}, **more)  # type: ignore[arg-type]
    leaves = (
        leaf.model_copy(update={"worth": leaf.worth * 0.3}) if leaf.case == "a" else leaf
        for leaf in judged.leaves
    )
    return judged.model_copy(update={"leaves": tuple(leaves)})
