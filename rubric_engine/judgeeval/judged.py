"""A case with every grade beside its label, as an evaluation holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.grading import Grade
from rubric_engine.judgeeval.case_result import CaseResult, CaseRoot, LeafResult
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.root import root_of
from rubric_engine.losses import is_mean


@dataclass(frozen=True)
class Judged:
    """What judging a case gave.

    Attributes:
        result: How it went.
        leaves: Its leaves; the labelled ones were asked about. Of a sample, these alone.
    """

    result: CaseResult
    leaves: tuple[LeafResult, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the leaves, in order."""
        return tuple(leaf.key for leaf in self.leaves)

    @property
    def asked(self) -> frozenset[str]:
        """Keys of the leaves that are asked about."""
        return frozenset(leaf.key for leaf in self.leaves if leaf.label is not None)


def unjudged(case: LabelledCase, keys: frozenset[str]) -> Judged:
    """A case before it is judged: every leaf is there, and none has a grade."""
    return judged(case, keys, {}, {})


def judged(
    case: LabelledCase,
    keys: frozenset[str],
    grades: Mapping[str, Grade],
    prices: Mapping[str, float | None],
) -> Judged:
    """Set grades beside labels.

    Args:
        case: The case.
        keys: Labelled leaves that were asked about.
        grades: Grade by key.
        prices: Dollars by key; None where unknown.
    """
    rubric, labelled = case.task.rubric, frozenset(case.labelled)
    sampled = len(keys) < len(labelled)
    leaves = [key for key in rubric.leaves() if key in keys or not (sampled or key in labelled)]
    whole = len(keys) == len(rubric.leaves())
    result = CaseResult(
        name=case.name,
        task=case.task.name,
        source=case.source,
        rubric_sha256=rubric.sha256,
        labels_sha256=case.labels_sha256,
        annotator=case.annotator,
        submission_sha256=None,
        leaves=len(rubric.leaves()),
        labelled=len(labelled),
        asked=len(keys),
        root=_root(case, grades) if whole else None,
        weighted_mean=all(rubric.is_leaf(key) or is_mean(rubric, key) for key in rubric.order),
        inputs_sha256=case.inputs_sha256,
        notes=case.notes,
        finished=False,
    )
    return Judged(result, tuple(_leaf(case, key, grades.get(key), prices) for key in leaves))


def _root(case: LabelledCase, grades: Mapping[str, Grade]) -> CaseRoot | None:
    found = root_of(case.task.rubric, case.labels, grades, submission=case.name)
    if found is None:
        return None
    # Sums of shares may stray from 1 by the last bit.
    cut = {name: min(1.0, getattr(found, name)) for name in CaseRoot.model_fields}
    return CaseRoot(**cut)


def _leaf(
    case: LabelledCase, key: str, grade: Grade | None, prices: Mapping[str, float | None]
) -> LeafResult:
    rubric, said = case.task.rubric, grade or Grade.ungradeable("not_run")
    label = case.labels[key].score if key in case.labels else None
    return LeafResult(
        case=case.name,
        key=key,
        parent=rubric.parent(key) or key,
        category=rubric[key].task_category or "",
        worth=min(1.0, rubric.worth(key)),
        label=label,
        others={name: by[key].score for name, by in case.others.items() if key in by},
        status=said.status,
        score=said.score,
        probability=said.probability,
        reason=said.reason,
        samples=said.samples,
        cost=0.0 if label is None else prices.get(key),  # nobody is asked about it
    )
