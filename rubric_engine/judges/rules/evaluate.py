"""From a check to its result: what it looked for, what it found, and its score if there is one."""

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
from rubric_engine.judges.rules.outcome import MAX_CITATIONS, MAX_WORDS, Finding, Undecided, short
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
    wanted = short(looked_for(check), MAX_WORDS)
    try:
        finding = _find(check, sight, desk)
    except Undecided as undecided:
        return CheckResult(
            check=check.kind,
            looked_for=wanted,
            found=short(undecided.found, MAX_WORDS),
            score=None,
            reason=undecided.reason,
        )
    return CheckResult(
        check=check.kind,
        looked_for=wanted,
        found=short(finding.found, MAX_WORDS),
        score=finding.score,
        citations=finding.citations[:MAX_CITATIONS],
    )


def _find(check: Check, sight: Sight, desk: SqlDesk) -> Finding:  # noqa: C901  # a line a kind
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
            results = [evaluate(inner, sight, desk) for inner in check.checks]
            return _group(results, check.kind)
        case Not():
            return _not(evaluate(check.check, sight, desk))


def _group(results: Sequence[CheckResult], aggregate: str) -> Finding:
    found = "; ".join(f"{result.check}: {result.found}" for result in results)
    score = combined(results, aggregate)
    if score is None:
        raise Undecided(unknown_reason(results), found)
    citations = [cited for result in results for cited in result.citations]
    return Finding(score, found, tuple(citations))


def _not(result: CheckResult) -> Finding:
    if result.score is None:
        raise Undecided(unknown_reason([result]), result.found)
    return Finding(float(result.score < 1.0), result.found, result.citations)
