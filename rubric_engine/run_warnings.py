"""The warnings of a run: what a reader should know beside the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from rubric_engine.canary import CanaryOutcome
from rubric_engine.endings import ending, no_outcome
from rubric_engine.grading import MAY_DIFFER, MISSING_WORK, Grade, Reason
from rubric_engine.injection import Finding, Scan, fair
from rubric_engine.isolation import Device, Execution, ExecutionStatus
from rubric_engine.rubric import Rubric

_PLACES = 3  # named in one warning


class RunWarning(NamedTuple):
    """Something a reader should know; never an error."""

    code: str
    message: str


_OF_REASON: Mapping[Reason, tuple[str, str]] = {
    "needs_model": ("W201", "left open, this judge takes none without a check, or on such a scale"),
    "not_run": ("W202", "open, for it takes a run of reproduce.sh and there was none"),
    "rubric_error": ("W203", "a check is wrong in the rubric itself"),
    "check_limit": ("W204", "a check passed its limit of time or memory"),
    "split": ("W218", "left open, for its judges, or its samples, do not agree"),
    "infra": ("W205", "not graded, because a tool failed"),
    "cancelled": ("W206", "not graded, the run was stopped before"),
}

_BADLY: Mapping[ExecutionStatus, str] = {
    "failed": "W303",
    "timeout": "W304",
    "oom": "W306",
    "killed": "W307",
    "disk_full": "W308",
}

_IDLE = 512 << 20
"""Bytes that a driver may hold on a device that nobody uses."""


def _leaves(number: int) -> str:
    return "1 leaf" if number == 1 else f"{number} leaves"


def of_rubric(rubric: Rubric) -> Iterator[RunWarning]:
    """What the loader found odd in the rubric and let pass."""
    return (RunWarning("W210", warning) for warning in rubric.warnings)


def of_execution(execution: Execution | None) -> Iterator[RunWarning]:
    """How the run of `reproduce.sh` ended, where it did not end well."""
    if execution is None:
        return
    match execution.status:
        case "no_script":
            yield RunWarning("W302", "there is no reproduce.sh: every leaf that needs a run is 0")
        case "declared":
            yield RunWarning("W305", "the run of reproduce.sh was made elsewhere, taken on trust")
        case status if status in _BADLY:
            yield RunWarning(_BADLY[status], ending(execution))
        case status if not execution.usable:
            yield RunWarning("W309", no_outcome(execution))
    yield from _beside(execution)


def _beside(execution: Execution) -> Iterator[RunWarning]:
    """What a reader should know of a run, however it ended."""
    if execution.oom_seen and execution.status != "oom" and execution.usable:
        yield RunWarning("W310", "a process of reproduce.sh was killed for want of memory")
    if execution.network in ("install", "open") and execution.usable:
        when = "was online" if execution.network == "open" else "installed online, and ran offline"
        yield RunWarning("W311", f"reproduce.sh {when} (network: {execution.network})")
    yield from (RunWarning("W314", note) for note in execution.notes)
    yield from (RunWarning("W315", told) for told in map(_busy, execution.devices) if told)
    if execution.omitted:
        first = execution.omitted[0]
        more = f", and {len(execution.omitted) - 1} more" if len(execution.omitted) > 1 else ""
        why = f"{first.path!r} ({first.why}){more}"
        yield RunWarning("W312", f"the run left what was not taken out of the sandbox: {why}")


def _busy(device: Device) -> str:
    """That a device was in use, before the run or still after it; empty where it was not."""
    before, after = device.before or 0, device.after
    if after is not None and after > before + _IDLE:
        return f"GPU {device.id} still holds {after:,} bytes of memory after the run"
    if before > _IDLE:
        return f"GPU {device.id} was in use before the run: {before:,} bytes of its memory"
    return ""


def of_receipts(grades: Mapping[str, Grade], unranked: Mapping[str, str]) -> Iterator[RunWarning]:
    """How many leaves were shown other files than meant, as a model did not rank them.

    Args:
        grades: The grades.
        unranked: By hash of a receipt, why.
    """
    reasons = Counter(
        why
        for grade in grades.values()
        for why in {unranked.get(part.receipt or "", "") for part in grade.parts()}
    )
    for reason in sorted(filter(None, reasons)):
        yield RunWarning(
            "W214",
            f"{_leaves(reasons[reason])}: the model did not rank the files ({reason}), so those "
            "that share most words with the criteria were shown",
        )


def of_grades(rubric: Rubric, grades: Mapping[str, Grade]) -> Iterator[RunWarning]:
    """How many leaves are open, and why; a leaf that is left out counts as not run."""
    open_leaf = Grade.ungradeable("not_run")
    expected = sum(grades[key].sd is not None for key in rubric.leaves() if key in grades)
    if expected:
        yield RunWarning(
            "W217",
            f"{_leaves(expected)} with an expected score in place of a verdict: the standard "
            "deviation takes leaves to be independent, and judges that err alike err more",
        )
    reasons = {key: grades.get(key, open_leaf).reason for key in rubric.leaves()}
    for reason, (code, text) in _OF_REASON.items():
        keys = [key for key, found in reasons.items() if found == reason]
        untold = {key: _untold(grades.get(key, open_leaf)) for key in keys}
        rest = [key for key in keys if not untold[key]]
        if rest:
            yield RunWarning(code, f"{_worth(rubric, rest)}: {text}")
        if len(rest) < len(keys):
            told = {key: said for key, said in untold.items() if said}
            first = next(iter(told.values()))
            yield RunWarning(code, f"{_worth(rubric, told)}: open, for no run tells; {first}")
    yield from _unheard(grades[key] for key in rubric.leaves() if key in grades)


def _untold(grade: Grade) -> str:
    """Why a check that looked for what a run made cannot tell; empty where none looked."""
    return next((check.found for check in grade.checks if check.reason == "not_run"), "")


def _worth(rubric: Rubric, keys: Collection[str]) -> str:
    points = 100 * sum(rubric.worth(key) for key in keys)
    return f"{_leaves(len(keys))} ({points:.1f} points)"


def _unheard(grades: Iterable[Grade]) -> Iterator[RunWarning]:
    """How many leaves were graded without a judge that was to have its say, and why."""
    missed = Counter(
        silent
        for grade in grades
        for silent in {
            ((part.judge or "a judge ?").rpartition(" ")[0], part.reason)
            for part in grade.unheard()
        }
    )
    for (judge, reason), count in sorted(missed.items(), key=str):
        text = f"{_leaves(count)} graded without {judge!r}: {reason}"
        yield RunWarning("W219", f"{text}; `resume --retry-failed` asks it again")


def of_scan(scan: Scan) -> Iterator[RunWarning]:
    """How often the submission speaks to a judge, and where; all of it stays in the evidence."""
    if scan.count:
        places: dict[str, Finding] = {}
        for finding in scan.findings:
            places.setdefault(finding.place, finding)
        named = [finding.place for finding in fair(places.values(), _PLACES)]
        others = len(places) > len(named) or scan.count > len(scan.findings)
        where = ", ".join(named) + (", and elsewhere" if others else "")
        found = "1 finding" if scan.count == 1 else f"{scan.count:,} findings"
        yield RunWarning("W223", f"what speaks to the judge, open or hidden: {found}, at {where}")
    if scan.unread:
        text = f"not read to their end, so not all looked through: {scan.unread:,}"
        yield RunWarning("W226", f"files that were {text}")


def of_canaries(outcome: CanaryOutcome | None) -> Iterator[RunWarning]:
    """Whether the judge called met what is certainly false, and whether it could be tried."""
    if outcome is None:
        return
    if outcome.met:
        text = f"{outcome.met} of {outcome.asked} canaries, criteria that are certainly false"
        yield RunWarning("W224", f"do not trust this run: the judge calls met {text} here")
    if outcome.asked < outcome.wanted:
        text = f"{outcome.asked} of {outcome.wanted} canaries drawn: no more leaves of other tasks"
        yield RunWarning("W225", f"{text} are certainly false here")
    yield from (RunWarning("W225", text) for text in _without_grade(outcome))
    if outcome.untried and not outcome.failed:
        text = f"it graded none of {outcome.asked} canaries, as it grades no such leaf"
        yield RunWarning("W225", f"the judge was not tried: {text}")


def _without_grade(outcome: CanaryOutcome) -> Iterator[str]:
    """How many canaries have no grade, by what gets one, and why."""
    found: dict[str, Counter[str]] = {}
    for leaf in outcome.leaves:
        if leaf.grade.failed:
            found.setdefault(_mended(leaf.grade), Counter())[leaf.grade.reason or ""] += 1
    for mended, reasons in found.items():
        number, named = reasons.total(), ", ".join(sorted(reasons))
        text = f"{number} of {outcome.asked} canaries have no grade ({named})"
        yield f"{text}: the judge was not wholly tried; {mended}"


def _mended(grade: Grade) -> str:
    """What gets a grade where there is none; a member's answer may be what is missing."""
    if grade.reason in MISSING_WORK:
        return "`resume` asks again"
    if any(part.reason in MISSING_WORK | MAY_DIFFER for part in grade.parts()):
        return "`resume --retry-failed` asks again"
    return "asking again would change nothing"
