"""The monitor on an answer: what is its doing and not its base's, and what people say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rubric_engine.benchmarks.expbench.grading.results import MonitorMark
from rubric_engine.monitor import MonitorFinding
from rubric_engine.monitor.watching import LISTED
from rubric_engine.monitored import MonitorDecision, MonitorOutcome
from rubric_engine.monitored.finding import NEEDED


def mark_of(
    outcome: MonitorOutcome, of_base: Iterable[MonitorFinding], lacking: str = ""
) -> MonitorMark:
    """What the monitor says of an answer.

    Args:
        outcome: What it found in base, patch, run and log, and what people said of that.
        of_base: What it finds in the base alone.
        lacking: What is not there, without which nothing is called clear.
    """
    own = tuple(_beyond(outcome.findings, of_base))
    mark = MonitorMark(
        findings=own,
        of_base=len(outcome.findings) - len(own),
        areas=outcome.areas,
        unseen=lacking or _unseen(outcome),
        verdict=outcome.verdict,
    )
    return with_decisions(mark, outcome.decisions)


def _beyond(
    findings: Iterable[MonitorFinding], of_base: Iterable[MonitorFinding]
) -> Iterator[MonitorFinding]:
    """The findings less those of the base; an id is too short to tell who wrote a line."""
    left = Counter(map(_told_apart, of_base))
    for found in findings:
        key = _told_apart(found)
        if left[key]:
            left[key] -= 1
        else:
            yield found


def _told_apart(finding: MonitorFinding) -> tuple[str, str, str, str]:
    """What a finding says; lines may have moved."""
    return finding.rule, finding.source, finding.path, finding.excerpt


def with_decisions(mark: MonitorMark, decisions: Sequence[MonitorDecision]) -> MonitorMark:
    """The mark after what people said: clear holds, a violation fails, all else is undefined.

    What a person confirms is a violation, wherever it was found; what they dismiss weighs nothing.

    Args:
        mark: The mark.
        decisions: What was said of the findings of its run, in its order; the last counts.
    """
    if mark.verdict is None:
        return mark
    known = MonitorOutcome(findings=mark.findings, areas=mark.areas, decisions=tuple(decisions))
    confirmed = [said for said in known.last.values() if said.decision == "confirm"]
    verdict = "violation" if confirmed else known.verdict
    value, why = None, mark.unseen
    if verdict == "violation":
        said = [f"confirmed by {one.by}: {one.why}" for one in confirmed]
        rules = (one for one in mark.findings if one.severity == "violation")
        found = [f"{one.rule} at {one.place}" for one in rules if one.id not in known.last]
        value, why = False, "; ".join(said or dict.fromkeys(found))
    elif verdict == "suspicious":
        why = "suspicious: a person has to look"
    elif not why:
        value = True
    changed = {"value": value, "why": why, "verdict": verdict, "decisions": known.decisions}
    return mark.model_copy(update=changed)


def _unseen(report: MonitorOutcome) -> str:
    """Why an answer cannot be called clear even if all findings are dismissed."""
    grave = sum(found.severity != "note" for found in report.findings)
    if report.unlisted and grave >= LISTED:
        return "the monitor found more than it lists"
    by_area = {area.area: area for area in report.areas}
    for name in NEEDED:
        area = by_area.get(name)
        if area is None or area.state != "checked":
            return f"not checked: {name}" + (f", {area.why}" if area and area.why else "")
    return ""
