"""What the monitor found, for a person: findings with their places, and what was not looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.cli.output import counted, printable

if TYPE_CHECKING:
    from rubric_engine.cli.monitor_asked import Asked
    from rubric_engine.monitor import Watched
    from rubric_engine.monitored import (
        MonitorDecision,
        MonitorFinding,
        MonitorOutcome,
        MonitorReport,
        Severity,
    )
    from rubric_engine.result import Report

_SHOWN = 5
"""Findings that a run's summary shows."""

_LISTED = 50
"""Findings that are printed; --json has them all."""

_WORDS = {"clear": "clear", "not_checked": "not checked"}
_ORDER: tuple[Severity, ...] = ("violation", "suspicious", "note")
_SURE = "is what rules found, for a person to decide; no score is changed by it"


def checked_lines(
    found: MonitorReport, asked: Asked, given: Watched, gates: list[str], code: int
) -> Iterator[str]:
    """All of a report: the verdict, its findings, and what was not checked, with what would."""
    yield head(found)
    yield from finding_lines(found, _LISTED)
    yield ""
    yield from claim_lines(found)
    yield from area_lines(found)
    yield from (f"next    {printable(line)}" for line in _commands(found, asked, given))
    yield from (f"gate    {gate}" for gate in gates)
    if found.verdict in _ORDER:
        yield f"        this {_SURE}"
    if code:
        yield f"exit    {code}"


def head(found: MonitorReport) -> str:
    """The verdict in a line, with how many findings there are."""
    word = _WORDS.get(found.verdict, found.verdict)
    weights = Counter(map(found.weight, found.findings))
    gone = getattr(found, "unlisted_decisions", ())
    weights["violation"] += sum(said.decision == "confirm" for said in gone)
    counts = [
        f"{weights[one]:,} {one}" if one == "suspicious" else counted(weights[one], one)
        for one in _ORDER
        if weights[one]
    ]
    if found.unlisted:
        counts.append(f"{found.unlisted:,} more not listed")
    return f"monitor {word}" + (f": {', '.join(counts)}" if counts else "")


def finding_lines(
    found: MonitorReport, most: int, *, notes: bool = True, all_by: str = "--json"
) -> Iterator[str]:
    """Findings, the gravest first: id, place and rule, what stands there, and what it is.

    Args:
        found: What was found.
        most: Findings that are printed.
        notes: Whether notes are.
        all_by: What lists all of them.
    """
    weights = _ORDER if notes else _ORDER[:-1]
    ranked = [
        (weight, one) for weight in weights for one in found.findings if found.weight(one) == weight
    ]
    for weight, finding in ranked[:most]:
        yield f"  {finding.id}  {weight}  {finding.rule}{_decided(found, finding)}"
        yield f"    {printable(finding.place, 120)}"
        if finding.excerpt and finding.excerpt != finding.path:
            yield f"      {printable(finding.excerpt)}"
        yield f"    {printable(finding.says)}"
    if len(ranked) > most:
        yield f"  and {len(ranked) - most:,} more: {all_by} lists all"


def decided_lines(found: MonitorOutcome, name: str) -> Iterator[str]:
    """A finding that somebody decided on, and what was said of it."""
    listed = tuple(one for one in found.findings if one.id == name)
    if listed:
        yield from finding_lines(found.model_copy(update={"findings": listed}), 1)
    else:
        yield from (line for line in gone_lines(found) if line.split()[0] == name)


def gone_lines(found: MonitorOutcome) -> Iterator[str]:
    """What was decided on findings that are listed no more."""
    for said in found.unlisted_decisions:
        yield f"  {printable(said.finding, 40)}  listed no more{_word(said)}"


def _decided(found: MonitorReport, finding: MonitorFinding) -> str:
    """What a person said of a finding, where somebody did."""
    said = getattr(found, "last", {}).get(finding.id)
    return "" if said is None else _word(said)


def _word(said: MonitorDecision) -> str:
    word = "confirmed" if said.decision == "confirm" else "dismissed"
    return f"  {word} by {printable(said.by, 40)}: {printable(said.why, 200)}"


def claim_lines(found: MonitorReport) -> Iterator[str]:
    """How much of what is claimed nothing bears out."""
    claims = found.claims
    if claims is not None and claims.share is not None:
        share = f"{100 * claims.share:.0f}%"
        lines = sum(one.area == "claims" for one in found.findings)
        where = f", told in {counted(lines, 'note')} by their lines" if lines else ""
        yield (
            f"claims  {claims.ungrounded:,} of {counted(claims.claims, 'claim')} ({share}) that"
            f" nothing bears out{where}"
        )


def area_lines(found: MonitorReport) -> Iterator[str]:
    """What was looked at, and of the rest why not."""
    for one in found.areas:
        if one.state == "checked":
            why = f"   {printable(one.why)}" if one.why else ""
            yield f"checked {one.area}{why}"
    for one in found.areas:
        if one.state != "checked":
            yield f"{one.state.replace('_', ' ')}: {one.area}   {printable(one.why or '')}"


def _commands(found: MonitorReport, asked: Asked, given: Watched) -> Iterator[str]:
    """The commands that check what was not checked; of a log nobody knows the name."""
    from rubric_engine.cli.sandboxing import has_no_docker

    left = {one.area for one in found.areas if one.state == "not_checked"}
    needs_run = given.execution is None and bool(left & {"faked", "claims"})
    needs_log = given.agent_log is None and "looked_up" in left
    if needs_run:
        yield asked.run_command("ran", local=has_no_docker())
        yield asked.command(executed="ran")
    if needs_log:
        yield "add --log LOG, the log of the agent that made it, to check looked_up"


def summary_lines(report: Report, run: str | None) -> Iterator[str]:
    """What the summary of a run says: a line where it is clear, findings where it is not.

    Args:
        report: Its report.
        run: The name that other commands know it by; None where it was not kept.
    """
    from rubric_engine.monitored.finding import NEEDED

    found = report.monitor
    if found is None:
        return
    missed = [one for one in found.areas if one.state != "checked" and one.area in NEEDED]
    if found.verdict == "not_checked":
        why = "; ".join(f"{one.area}, {one.why}" for one in missed)
        yield f"{head(found)}   {printable(why)}"
    else:
        yield head(found)
    lists = f"rubric-engine monitor show {run}" if run is not None else "--json"
    yield from finding_lines(found, _SHOWN, notes=False, all_by=lists)
    yield from gone_lines(found)


def next_lines(report: Report, run: str) -> Iterator[str]:
    """What a person may do where something was found."""
    if report.monitor is not None and report.monitor.verdict in _ORDER:
        yield f"next    rubric-engine monitor confirm {run} FINDING --why TEXT   or dismiss"


def outcome_lines(found: MonitorOutcome) -> Iterator[str]:
    """All that is known of a run: findings, decisions, and what was not looked at."""
    yield head(found)
    yield from finding_lines(found, _LISTED)
    yield from gone_lines(found)
    yield ""
    yield from claim_lines(found)
    yield from area_lines(found)
    if found.disqualifies is not None:
        yield f"disqualified: {printable(found.disqualifies)}"
