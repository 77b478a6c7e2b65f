"""Before cases are judged: which judge it is, what it needs, and which leaves it is asked about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubric_engine.candidate import load_candidate
from rubric_engine.decision import DecisionModel
from rubric_engine.errors import CaseError, LabelsError, UsageError
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.drawing import Stratum, drawn
from rubric_engine.judgeeval.evaluation import JudgeIdentity, Sample
from rubric_engine.judgeeval.planted import Planted
from rubric_engine.judges import Repeat
from rubric_engine.judges.combine.composite import Composite
from rubric_engine.model import ChatModel

AnyJudge = str | JudgeCard | Judge | Planted
"""What `evaluate` takes for a judge."""

_MOST_NAMED = 5


def identify(
    judge: AnyJudge, model: str | Mapping[str, Any] | ChatModel | DecisionModel | None
) -> tuple[JudgeIdentity, bool]:
    """Say which judge it is, asking for no key, and whether it reads submissions.

    Raises:
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    if isinstance(judge, Planted):
        return JudgeIdentity(name=judge.name, fingerprint=judge.fingerprint), False
    if isinstance(judge, str | JudgeCard):
        settings = {"name": model} if isinstance(model, str) else model
        own = None if isinstance(settings, ChatModel | DecisionModel) else settings
        candidate = load_candidate(judge, model=own)
        judge, models = (
            candidate.judge,
            tuple(dict.fromkeys(config.name for config in candidate.models)),
        )
    else:
        asked = judge.card.settings.get("model") or {}
        models = (str(asked["name"]),) if isinstance(asked, dict) and "name" in asked else ()
    fingerprint = judge.card.fingerprint
    if isinstance(model, ChatModel | DecisionModel) and models:
        # The card names another model than the one that is asked.
        models = (model.config.name,)
        said = [fingerprint, model.config.requested]
        fingerprint = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    identity = JudgeIdentity(
        name=judge.card.name,
        fingerprint=fingerprint,
        models=models,
        stops_at_lead=_stops_at_lead(judge),
    )
    return identity, bool(getattr(judge, "reads_submission", True))


def _stops_at_lead(judge: Judge) -> bool:
    """Whether a judge, or one that it is made of, asks again until one verdict leads."""
    if isinstance(judge, Repeat):
        return judge.vote == "lead_by"
    return isinstance(judge, Composite) and any(map(_stops_at_lead, judge.judges))


def require_threshold(threshold: float) -> None:
    """Refuse, before anything is paid for, a threshold that tells nothing apart.

    Raises:
        UsageError: It is not above 0 and at most 1.
    """
    if not 0 < threshold <= 1:
        raise UsageError(f"a threshold lies above 0 and at most at 1, not at {threshold:g}")


def require_submissions(cases: Sequence[LabelledCase], *, needed: bool) -> None:
    """Refuse, before anything is paid for, cases that a judge could not judge.

    Raises:
        CaseError: There is no case, or a submission is needed and absent.
    """
    if not cases:
        raise CaseError("there is no labelled case to measure a judge on")
    absent = [f"{case.name}: {case.absence}" for case in cases if case.absence]
    if needed and absent:
        more = [f"and {len(absent) - _MOST_NAMED} more"] if len(absent) > _MOST_NAMED else []
        raise CaseError(
            f"{len(absent)} of {len(cases)} cases have no submission, and this judge reads it",
            code="E546",
            looked=[*absent[:_MOST_NAMED], *more],
            fix=["put each submission there, or name the folders of the cases that have theirs"],
        )


def asked_leaves(
    cases: Sequence[LabelledCase], sample: int | None, seed: int
) -> tuple[Mapping[str, frozenset[str]], Sample | None]:
    """Labelled leaves that are asked about, by case; and what was drawn, where not all are.

    Raises:
        LabelsError: No leaf has a label.
        UsageError: The sample is less than one leaf.
    """
    total = sum(len(case.labelled) for case in cases)
    if not total:
        raise LabelsError("no leaf of these cases has a label", fix=["rubric-engine label --help"])
    if sample is None or sample >= total:
        return {case.name: frozenset(case.labelled) for case in cases}, None
    found = drawn([stratum for case in cases for stratum in _strata(case)], sample, seed=seed)
    return found, Sample(size=sample, of=total, seed=seed)


def _strata(case: LabelledCase) -> Iterator[Stratum]:
    rubric = case.task.rubric
    by_category: dict[str, list[str]] = {}
    for key in case.labelled:
        by_category.setdefault(rubric[key].task_category or "", []).append(key)
    if not by_category:
        yield Stratum(case.name, rubric.sha256, ())
    for keys in by_category.values():
        yield Stratum(case.name, rubric.sha256, tuple(keys))
