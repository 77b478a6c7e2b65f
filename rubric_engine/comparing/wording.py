"""What a comparison shows, in sentences; "no clear difference" wherever none is shown. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rubric_engine.comparing.comparison import Change, Comparison
from rubric_engine.comparing.flips import FlipRate
from rubric_engine.comparing.kinds import Kind
from rubric_engine.comparing.noise import PairedTest
from rubric_engine.figures import percent, signed
from rubric_engine.result import Report

KIND_WORDS: Mapping[Kind, str] = {
    "same": "same verdict",
    "open": "no grade in either",
    "up": "not met -> met",
    "down": "met -> not met",
    "part": "another score",
    "became_ungradeable": "lost its grade",
    "became_gradeable": "got a grade",
    "applies": "applies in one only",
    "text_changed": "asks something else",
    "weight_changed": "weight changed",
    "aggregate_changed": "aggregate changed",
    "added": "added",
    "removed": "removed",
    "disqualified": "disqualified",
}
"""What happened to a criterion, in a few words."""


def what_happened(found: Comparison, change: Change) -> str:
    """Say what happened to a criterion; of another score, both of them."""
    if change.kind != "part" or change.a is None or change.b is None:
        return KIND_WORDS[change.kind]
    ends = found.first.grades[change.a].score, found.second.grades[change.b].score
    return " -> ".join("-" if score is None else f"{score:.3g}" for score in ends)


def said_of_holes(name: str, report: Report) -> str | None:
    """Say what keeps a run from being whole; None where nothing does.

    Args:
        name: What the run is called, such as ``A``.
        report: The run.
    """
    failed = Counter(grade.reason for grade in report.grades.values() if grade.failed)
    said = []
    if report.stopped is not None:
        said.append(f"was stopped before every leaf was asked about ({report.stopped.message})")
    if failed:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in failed.most_common())
        said.append(f"has {_leaves(failed.total())} that could not be graded ({reasons})")
    return f"{name} {' and '.join(said)}" if said else None


def said_of_test(found: Comparison, digits: int = 1) -> str:
    """Say whether the grades of run B are higher or lower than those of run A, if that is shown.

    Args:
        found: The comparison.
        digits: Decimals of points.
    """
    test = found.test
    if not test.leaves:
        return "No leaf that asks for the same has a grade in both runs, so no grades are compared."
    if not test.points and not test.interval.excludes(0.0) and _is_still(found):
        return f"No grade differs on the {_leaves(test.leaves)} that both runs graded."
    if test.shown:
        moved = "higher" if test.points > 0 else "lower"
        return f"B is graded {moved} than A: {_figures(test, digits)}."
    return f"No clear difference in the grades: {_figures(test, digits)}."


def said_of_flips(found: Comparison, rate: FlipRate, digits: int = 1) -> str:
    """Say how often a judge changes its mind, and whether here is more than that.

    Args:
        found: The comparison.
        rate: The judge's own flip rate.
        digits: Decimals of points.
    """
    ends = (rate.interval.low, rate.interval.high)
    known = f"95% interval {percent(ends[0])} to {percent(ends[1])}"
    how = "2 runs" if rate.source == "runs" else "samples of one run"
    moved = "" if rate.points is None else f", {signed(rate.points, digits)} points"
    text = (
        f"{rate.judge} asked again gives another verdict on {percent(rate.rate)} of "
        f"{_leaves(rate.leaves)} ({how}; {known}{moved})"
    )
    here = found.test.flips
    if found.same_judge and rate.source == "runs" and rate.rate == here:
        return f"{text}."
    if here is None or ends[1] is None:
        return f"{text}; here no verdict is compared."
    more = "no more than" if here <= ends[1] else "more than"
    return f"{text}; here {percent(here)}: {more} its own noise."


def _is_still(found: Comparison) -> bool:
    return not any(row.leaves for row in found.kinds if row.kind in ("up", "down", "part"))


def _figures(test: PairedTest, digits: int) -> str:
    gap = f"{signed(test.points, digits)} points on {_leaves(test.leaves)} graded in both"
    interval = test.interval
    if interval.low is None or interval.high is None:
        return f"{gap}, no interval ({interval.why})"
    ends = f"{gap} [{signed(interval.low, digits)}, {signed(interval.high, digits)}]"
    if test.p is None:
        return f"{ends}, but {test.why}"
    return f"{ends}, p {'<0.001' if test.p < 0.001 else format(test.p, '.3f')}"


def _leaves(number: int) -> str:
    return f"{number:,} leaf" if number == 1 else f"{number:,} leaves"
