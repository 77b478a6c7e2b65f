"""For a person: what in a submission speaks to its judge, and what a judge said of its canaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.cli.output import printable

if TYPE_CHECKING:
    from rubric_engine.result import Report

_MOST = 20
"""Findings that are printed; --json has all that are listed."""


def guard_lines(report: Report) -> Iterator[str]:
    """The places that speak to the judge, and the canaries one by one."""
    from rubric_engine.injection import fair

    found = report.injections.findings
    shown = fair(found, _MOST)
    if shown:
        yield "\nspeaks to the judge (nothing was removed from what it saw)"
    for finding in shown:
        yield f"  {printable(finding.place, 60)}  {finding.kind}"
        yield f"    {printable(finding.excerpt, 76)}"
    if report.injections.count > len(shown):
        more = report.injections.count - len(shown)
        yield f"  and {more:,} more: --json lists up to {len(found)}"
    if report.canaries is not None:
        yield "\ncanaries, criteria of other tasks that are certainly false here"
        for leaf in report.canaries.leaves:
            open_as = leaf.grade.reason or leaf.grade.status
            word = "MET" if leaf.met else open_as if leaf.grade.score is None else "not met"
            yield f"  {word}  {printable(leaf.task, 30)}: {printable(leaf.requirements, 200)}"


def canary_lines(report: Report) -> Iterator[str]:
    """One line on canaries; none where the judge was not tried."""
    tried = report.canaries
    if tried is not None:
        counts = f"{tried.asked} asked, {tried.met} met, {tried.not_met} not met, {tried.open} open"
        tells = "the judge was not tried" if tried.untried else "no score has them"
        yield f"canary  {counts}; {tells}"
