"""What a check looks for, in words for a person."""

from __future__ import annotations

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
from rubric_engine.judges.rules.outcome import count


def looked_for(check: Check) -> str:  # noqa: C901  # one line a kind
    """Say what a check looks for."""
    match check:
        case FileExists():
            return f"{_files(check.min)} {check.file}"
        case FileAbsent():
            return f"no file {check.file}"
        case Contains():
            return f"{_needle(check)} in {check.file}, {_times(check)}"
        case LogContains():
            return f"{_needle(check)} in the log, {_times(check)}"
        case PythonDefines():
            what = "name" if check.type == "any" else check.type
            return f"a {what} {check.name} defined in {check.file}"
        case PythonCalls():
            inside = f" inside {check.inside}" if check.inside else ""
            return f"a call of {check.name}{inside} in {check.file}"
        case ExitCode():
            return f"exit code {check.equals}"
        case Produced():
            return f"{_files(check.min)} {check.file} made or changed by the run"
        case Number():
            return f"{_place(check)}: {_bounds(check)}"
        case Sql():
            return " ".join(check.query.split())
        case AnyOf():
            return "any of: " + "; ".join(map(looked_for, check.checks))
        case AllOf():
            return "all of: " + "; ".join(map(looked_for, check.checks))
        case Not():
            return f"not: {looked_for(check.check)}"


def _files(least: int) -> str:
    return "a file" if least == 1 else f"at least {least} files"


def _needle(check: Contains | LogContains) -> str:
    return f"the pattern {check.regex}" if check.regex else f"the text {check.text!r}"


def _times(check: Contains | LogContains) -> str:
    if check.max is None:
        return f"at least {count(check.min, 'time')}"
    if check.max == 0:
        return "nowhere"
    if check.max == check.min:
        return f"exactly {count(check.min, 'time')}"
    return f"{check.min} to {check.max} times" if check.min else f"at most {check.max} times"


def _place(check: Number) -> str:
    where = "the log" if check.log else check.file
    what = check.json_path or f"the {check.pick} match of {check.regex}"
    return f"{what} in {where}"


def _bounds(check: Number) -> str:
    parts = []
    if check.equals is not None:
        within = max(check.abs, check.rel * abs(check.equals))
        parts.append(f"{check.equals:.12g}" + (f" within {within:.6g}" if within else ""))
    if check.at_least is not None:
        parts.append(f"at least {check.at_least:.12g}")
    if check.at_most is not None:
        parts.append(f"at most {check.at_most:.12g}")
    return ", ".join(parts)
