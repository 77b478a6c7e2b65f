"""From a check to its result: what it looked for, what it found, and its score if there is one.

What could not be read may hold anything. So beside its score, which takes that to speak against
the check, an evaluation has its best score, which takes it to speak for the check; `not` turns the
two round. A thing that nobody could look for never counts as absent.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubric_engine.checks import (
    AllOf,
    AnyOf,
    Check,
    Contains,
    ExitCode,
    FileAbsent,
    FileExists,
    LogContains,
    Not,
    Number,
    Produced,
    PythonCalls,
    PythonDefines,
    Sql,
)
from rubric_engine.grading import CheckResult
from rubric_engine.judges.rules.combine import combined, unknown_reason
from rubric_engine.judges.rules.files import exit_code, file_absent, file_exists, produced
from rubric_engine.judges.rules.number import number
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    MAX_WORDS,
    Evaluation,
    Undecided,
    short,
)
from rubric_engine.judges.rules.python import python_calls, python_defines
from rubric_engine.judges.rules.search import contains, log_contains
from rubric_engine.judges.rules.sql import sql
from rubric_engine.judges.rules.sql_desk import SqlDesk
from rubric_engine.judges.rules.view import Sight
from rubric_engine.judges.rules.words import looked_for


def evaluate(check: Check, sight: Sight, desk: SqlDesk) -> CheckResult:
    """Evaluate one check.

    Args:
        check: Any kind of check.
        sight: What the checks of its leaf may read.
        desk: Where queries run.

    Returns:
        Its result; without a score, and with a reason, where it cannot be evaluated.
    """
    return _weighed(check, sight, desk)[0]


def _weighed(check: Check, sight: Sight, desk: SqlDesk) -> tuple[CheckResult, float | None]:
    """The result of a check, and its best score."""
    wanted = short(looked_for(check), MAX_WORDS)
    try:
        evaluation = _find(check, sight, desk)
    except Undecided as undecided:
        result = CheckResult(
            check=check.kind,
            looked_for=wanted,
            found=short(undecided.found, MAX_WORDS),
            score=None,
            reason=undecided.reason,
        )
        return result, None
    result = CheckResult(
        check=check.kind,
        looked_for=wanted,
        found=short(evaluation.found, MAX_WORDS),
        score=evaluation.score,
        citations=evaluation.citations[:MAX_CITATIONS],
    )
    return result, evaluation.score if evaluation.best is None else evaluation.best


def _find(check: Check, sight: Sight, desk: SqlDesk) -> Evaluation:  # noqa: C901  # a line a kind
    match check:
        case FileExists():
            return file_exists(check, sight)
        case FileAbsent():
            return file_absent(check, sight)
        case Contains():
            return contains(check, sight)
        case PythonDefines():
            return python_defines(check, sight)
        case PythonCalls():
            return python_calls(check, sight)
        case ExitCode():
            return exit_code(check, sight)
        case LogContains():
            return log_contains(check, sight)
        case Produced():
            return produced(check, sight)
        case Number():
            return number(check, sight)
        case Sql():
            return sql(check, sight, desk)
        case AnyOf() | AllOf():
            return _group([_weighed(inner, sight, desk) for inner in check.checks], check.kind)
        case Not():
            return _not(*_weighed(check.check, sight, desk))


def _group(weighed: Sequence[tuple[CheckResult, float | None]], aggregate: str) -> Evaluation:
    results = [result for result, _ in weighed]
    found = "; ".join(f"{result.check}: {result.found}" for result in results)
    score = combined(results, aggregate)
    if score is None:
        raise Undecided(unknown_reason(results), found)
    citations = [cited for result in results for cited in result.citations]
    hoped = [result.model_copy(update={"score": best}) for result, best in weighed]
    best = combined(hoped, aggregate)
    return Evaluation(score, found, tuple(citations), 1.0 if best is None else best)


def _not(result: CheckResult, best: float | None) -> Evaluation:
    if result.score is None or best is None:
        raise Undecided(unknown_reason([result]), result.found)
    score = float(best < 1.0)
    return Evaluation(score, result.found, result.citations, float(result.score < 1.0))
