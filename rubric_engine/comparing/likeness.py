"""Whether two runs can be compared at all, and in what else they are not alike. Pure.

A difference can only be split where both scores are scores of the same thing: a rubric, or an
edition of it, seen in the same way. Another submission, judge or model is what comparisons are
for, so it is told and never refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rubric_engine.comparing.aligning import Alignment
from rubric_engine.comparing.facts import fact
from rubric_engine.errors import RunError
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.submission_names import called_in

LEAST_SHARED = 0.5
"""Part of the smaller rubric's leaves whose text the other has, from which on, under another
task's name, the one is taken for an edition of the other."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """Something in which two runs are not alike.

    Attributes:
        name: What it is, such as `judge`.
        a: What it is of the first run; None where it has none.
        b: Of the second.
    """

    name: str
    a: str | None
    b: str | None


def require_alike(first: Report, second: Report, shared: Alignment) -> None:
    """Refuse runs whose scores are not of the same thing.

    Raises:
        RunError: The rubrics, the modes or the policies are unlike; the error has the hashes.
    """
    modes = _mode(first), _mode(second)
    if modes[0] != modes[1]:
        raise _unlike(
            f"the runs were graded in unlike modes: {modes[0]!r} and {modes[1]!r}",
            first,
            second,
            "E572",
            "rubric-engine score RUN --category CATEGORY   shows one category of a whole run",
        )
    if first.missing != second.missing:
        raise _unlike(
            f"the runs count leaves without a grade unlike: {first.missing} and {second.missing}",
            first,
            second,
            "E573",
            "report.over(report.rubric, missing='zero')   gives both one policy",
        )
    if not _is_edition(first, second, shared):
        raise _unlike(
            "the runs are of unlike rubrics, so no leaf can be held against another",
            first,
            second,
            "E571",
            "rubric-engine runs list   shows which runs there are",
        )


def what_is_unlike(first: Report, second: Report) -> tuple[Unlike, ...]:
    """In what two comparable runs are not alike: inputs, judge, and what they ran with."""
    sides = [_facts(first), _facts(second)]
    return tuple(
        Unlike(name, a, sides[1][name]) for name, a in sides[0].items() if a != sides[1][name]
    )


def _mode(report: Report) -> str:
    return fact(report, "mode") or ""


def _is_edition(first: Report, second: Report, shared: Alignment) -> bool:
    a, b = first.rubric, second.rubric
    if a.sha256 == b.sha256:
        return True
    task = fact(first, "task")
    is_same_task = task is not None and task == fact(second, "task")
    if is_same_task and any(key in shared.match for key in a.leaves()):
        return True
    same = (_texts(a) & _texts(b)).total()
    smaller = min(len(a.leaves()), len(b.leaves()))
    return smaller > 0 and same >= LEAST_SHARED * smaller


def _texts(rubric: Rubric) -> Counter[str]:
    """How often each text stands at a leaf, however it is laid out."""
    return Counter(" ".join(rubric[key].requirements.split()) for key in rubric.leaves())


def _unlike(message: str, first: Report, second: Report, code: str, fix: str) -> RunError:
    looked = [
        f"{name}: task {fact(side, 'task') or 'unknown'}, rubric {side.rubric.sha256[:12]}, "
        f"mode {_mode(side)!r}"
        for name, side in (("A", first), ("B", second))
    ]
    return RunError(message, code=code, looked=looked, fix=[fix])


def _facts(report: Report) -> dict[str, str | None]:
    judge = [fact(report, "judge", "name"), _short(fact(report, "judge", "fingerprint"))]
    return {
        "task": fact(report, "task"),
        "rubric": _short(report.rubric.sha256),
        "paper": _short(fact(report, "paper_sha256")),
        "submission": called_in(report.provenance) or None,
        "submission's files": _short(fact(report, "submission_sha256")),
        "execution": fact(report, "execution", "status"),
        "executed submission": _short(fact(report, "execution", "submission_sha256")),
        "judge": " ".join(filter(None, judge)) or None,
        "model": fact(report, "judge", "card", "model", "name"),
        "monitor": report.monitor.verdict if report.monitor is not None else None,
        "rubric-engine": fact(report, "versions", "rubric-engine"),
    }


def _short(sha256: str | None) -> str | None:
    return sha256 and sha256[:12]
