"""What judging an answer would take: all of it, or what its run lacks."""

from __future__ import annotations

from rubric_engine.benchmarks.judging import HowJudged, past_of
from rubric_engine.candidate import Candidate
from rubric_engine.case import Case
from rubric_engine.dry_run import Foresight, Promised, foresee
from rubric_engine.errors import RunError
from rubric_engine.past import Past


def foresee_judging(
    candidate: Candidate,
    case: Case,
    how: HowJudged,
    promised: Promised,
    *,
    run: str | None = None,
) -> Foresight:
    """Price the calls about one answer that would be made.

    Args:
        candidate: Who judges.
        case: What is judged where a run begins.
        how: How it is judged.
        promised: Calls about the answers before it; its own are added.
        run: Name of its run; None where it has none.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
    """
    past = _past(run, how)
    return foresee(
        candidate,
        case if past is None else Case(past.task, past.handed_in, past.execution),
        runs=how.runs,
        spending=how.spending,
        standing=() if past is None else past.standing(retry_failed=how.spending.retry_failed),
        promised=promised,
    )


def _past(run: str | None, how: HowJudged) -> Past | None:
    """The run that is gone on with; one that is damaged tells nothing of what is left."""
    try:
        return past_of(run, how.runs) if run is not None else None
    except RunError:
        return None
